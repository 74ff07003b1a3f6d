from .form_fields import SettingField as SettingField, setting_fields as setting_fields
from .setting_values import settings_from as settings_from
