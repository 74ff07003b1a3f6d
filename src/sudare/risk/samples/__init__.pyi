from .sampling import sampling_fraction as sampling_fraction
