from .application import create_application as create_application
from .formatting import (
    byte_size as byte_size,
    decimal as decimal,
    shown_file_name as shown_file_name,
    time_element as time_element,
)
from .forms import (
    CSRF_FIELD as CSRF_FIELD,
    NOTICE_COOKIE as NOTICE_COOKIE,
    SESSION_COOKIE as SESSION_COOKIE,
    VISITOR_COOKIE as VISITOR_COOKIE,
    check_csrf_token as check_csrf_token,
    form_fields as form_fields,
    form_pairs as form_pairs,
    local_path as local_path,
    redirect_after_form as redirect_after_form,
    set_cookie as set_cookie,
)
from .jobs.job_events import job_event_response as job_event_response, job_summary as job_summary
from .jobs.job_process import JobError as JobError, log_error as log_error
from .jobs.job_queue import (
    Job as Job,
    JobQueue as JobQueue,
    JobState as JobState,
    ReportProgress as ReportProgress,
)
from .listening_socket import listening as listening
from .path_prefix import SitesByPath as SitesByPath
from .rate_limit import RateLimit as RateLimit
from .site import Site as Site
from .uploads import Upload as Upload, receive_upload as receive_upload
