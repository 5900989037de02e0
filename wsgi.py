"""The WSGI entry point, for a server of your own: settings come from the environment."""

from arena import create_app
from arena.settings import Settings

application = create_app(Settings.from_environment())
