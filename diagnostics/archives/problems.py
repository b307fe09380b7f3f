"""Why a file is no back-up that can be used; the message is one line for whoever wants to restore."""


class BadBackup(Exception):
    """The file can't be restored from."""
