"""Feature selectors, one method a file."""

from .aw_spca_psd import AWSPCAPSD
from .cspca_psd import CSPCAPSD
from .spca_psd import SPCAPSD

__all__ = ["AWSPCAPSD", "CSPCAPSD", "SPCAPSD"]
