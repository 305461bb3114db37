"""What Alembic runs: the migrations, on the connection that ``muniment.tables.migrate`` hands over."""

from alembic import context

from muniment.tables.models import Base

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=Base.metadata, render_as_batch=True, transactional_ddl=False)
context.run_migrations()
