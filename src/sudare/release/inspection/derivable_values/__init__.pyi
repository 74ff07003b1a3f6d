from .absence import (
    find_telling_absence as find_telling_absence,
    find_telling_removal as find_telling_removal,
)
from .determination import Telling as Telling
from .effects import find_ineffective as find_ineffective, leads_back as leads_back
from .households import find_telling_members as find_telling_members
from .twins import find_twins as find_twins
