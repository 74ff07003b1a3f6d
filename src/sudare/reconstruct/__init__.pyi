from .combining import Combined as Combined, combine as combine
from .density_ratio.kernel_density_ratio import KernelDensityRatio as KernelDensityRatio
from .density_ratio.linear_density_ratio import LinearDensityRatio as LinearDensityRatio
from .estimator import Estimator as Estimator
from .histograms.inverse_channel import InverseChannel as InverseChannel
from .histograms.iterative_bayes import IterativeBayes as IterativeBayes
from .naive_bayes import NaiveBayes as NaiveBayes, NaiveBayesModel as NaiveBayesModel
from .nonparametric_maximum import NonparametricMaximum as NonparametricMaximum
from .released import channel_of as channel_of
