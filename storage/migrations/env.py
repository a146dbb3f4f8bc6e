"""Alembic environment: runs on the connection that the storage hands over."""

from alembic import context

from storage.models import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
)
context.run_migrations()
