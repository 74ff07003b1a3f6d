from .orthogonal_transform import Basis as Basis
