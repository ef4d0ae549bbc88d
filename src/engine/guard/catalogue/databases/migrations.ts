import type { GuardRule } from "../../calls/rule.ts";

const django = "manage.py|django-admin|django";
const rails = "rails|rake|hanami";

/** Rules on programs that make and change the tables of an application. */
export const migrationRules: readonly GuardRule[] = [
  {
    id: "prisma-reset",
    family: "safety",
    match: [
      { notTesting: true, program: "prisma", words: "migrate reset" },
      { notTesting: true, program: "prisma", words: "db push", flags: ["--force-reset|--accept-data-loss"] },
      { notTesting: true, program: "zenstack", words: "migrate reset" },
    ],
    message: "This deletes all data of the database that DATABASE_URL names.",
    remedy: "Use `prisma migrate dev` or `migrate deploy`, after a look at DATABASE_URL.",
    fires: [
      "npx prisma migrate reset --force",
      "pnpm prisma db push --accept-data-loss",
      "docker compose exec web npx prisma migrate reset -f",
    ],
    passes: [
      "npx prisma migrate dev",
      "npx prisma db push",
      "npx prisma migrate status",
      "npx prisma generate",
    ],
  },
  {
    id: "rails-drop-database",
    family: "safety",
    match: [
      {
        notTesting: true,
        program: rails,
        operand: {
          like: "db:(?:drop|reset|purge|truncate_all|migrate:reset|seed:replant|schema:reset)(?::(?:all|_unsafe|primary))?",
        },
        notText: "RAILS_ENV=test|-e test\\b",
      },
      {
        notTesting: true,
        program: rails,
        words: "runner|r",
        text: "\\b[A-Z]\\w*(?:::\\w+)*\\.(?:unscoped\\.|all\\.)?(?:delete_all|destroy_all)\\b|drop_table|truncate",
      },
    ],
    message: "This deletes all data of the application's database.",
    remedy: "Use `rails db:migrate`, or `db:rollback` for the last step.",
    fires: [
      "rails db:drop db:create db:migrate",
      "bundle exec rake db:reset",
      "heroku run rails db:migrate:reset -a shop",
      "bin/rails runner 'User.delete_all'",
    ],
    passes: [
      "rails db:migrate",
      "bin/rails db:setup",
      "rails db:drop RAILS_ENV=test",
      "rails runner 'puts User.count'",
    ],
  },
  {
    id: "django-flush",
    family: "safety",
    match: [
      { notTesting: true, program: django, words: "flush|reset_db|sqlflush_run|drop_test_database" },
      { notTesting: true, program: django, words: "migrate", operand: { like: "zero" }, without: "--plan" },
      {
        notTesting: true,
        program: django,
        words: "shell|shell_plus",
        text: "\\.objects\\.(?:all\\(\\)\\.)?(?:_raw_)?delete\\(|\\.objects\\.all\\(\\)\\.update\\(",
      },
      {
        notTesting: true,
        program: django,
        words: "remove_stale_contenttypes|clean_duplicate_history",
        flags: ["--noinput|--no-input"],
      },
    ],
    message: "This deletes all rows of the application, or the tables of an app.",
    remedy: "Dump them with `manage.py dumpdata`, and look at `migrate --plan`.",
    fires: [
      "python manage.py flush --no-input",
      "docker compose exec web ./manage.py migrate orders zero",
      "uv run python3 backend/manage.py reset_db --noinput",
      "python -m django flush",
    ],
    passes: [
      "python manage.py migrate",
      "python manage.py sqlflush",
      "python manage.py migrate orders zero --plan",
      "python manage.py test",
    ],
  },
  {
    id: "laravel-fresh",
    family: "safety",
    match: [
      {
        notTesting: true,
        program: "artisan|sail",
        words:
          "migrate:fresh|migrate:reset|migrate:refresh|db:wipe|artisan migrate:fresh|artisan migrate:refresh|artisan migrate:reset|artisan db:wipe",
        without: "--pretend",
        notText: "--env[ =]testing\\b",
      },
      {
        notTesting: true,
        program: "artisan",
        words: "tinker",
        text: "::(?:truncate|query\\(\\)->delete)\\(|Schema::drop",
      },
      { notTesting: true, program: "artisan", words: "queue:clear|queue:flush|horizon:clear|scout:flush" },
    ],
    message: "This deletes all tables of the application's database.",
    remedy: "Use `artisan migrate`, or `migrate:rollback --step=1`.",
    fires: [
      "php artisan migrate:fresh --seed",
      "./vendor/bin/sail artisan db:wipe --force",
      "ssh web1 'cd shop && php artisan migrate:refresh'",
    ],
    passes: ["php artisan migrate", "php artisan migrate:fresh --env=testing", "php artisan migrate:status"],
  },
  {
    id: "symfony-drop-database",
    family: "safety",
    match: [
      {
        notTesting: true,
        program: "console|doctrine|doctrine-migrations|symfony",
        words:
          "console doctrine:database:drop|console doctrine:schema:drop|console d:d:d|doctrine:database:drop|doctrine:schema:drop|doctrine:mongodb:schema:drop|doctrine:fixtures:load|d:d:d|d:s:d|orm:schema-tool:drop",
        without: "--append|--dump-sql",
        notText: "--env[ =]test\\b|-e test\\b",
      },
    ],
    message: "This deletes the application's database, or all its rows before it loads fixtures.",
    remedy: "Use `doctrine:migrations:migrate`, or load fixtures with `--append`.",
    fires: [
      "php bin/console doctrine:database:drop --force",
      "docker compose exec php bin/console doctrine:fixtures:load -n",
    ],
    passes: [
      "php bin/console doctrine:migrations:migrate",
      "bin/console doctrine:database:drop --force --env=test",
      "bin/console doctrine:schema:drop --dump-sql",
    ],
  },
  {
    id: "node-drop-database",
    family: "safety",
    match: [
      {
        notTesting: true,
        program: "sequelize|sequelize-cli",
        words: "db:drop|db:migrate:undo:all|db:seed:undo:all",
      },
      {
        notTesting: true,
        program: "typeorm|typeorm-ts-node-commonjs|typeorm-ts-node-esm",
        words: "schema:drop|schema:sync",
      },
      { notTesting: true, program: "knex", words: "migrate:rollback|migrate:down", flags: ["--all"] },
      { notTesting: true, program: "knex", words: "migrate:rollback", operand: { like: "all" } },
      {
        notTesting: true,
        program: "mikro-orm|mikro-orm-esm",
        words: "schema:drop|schema:fresh|migration:fresh|database:drop",
      },
      { notTesting: true, program: "drizzle-kit", words: "push", flags: ["--force"] },
      { notTesting: true, program: "drizzle-kit", words: "drop" },
      {
        notTesting: true,
        program: "mongoose|migrate-mongo|node-pg-migrate|db-migrate|ace",
        words: "reset|db:drop|migration:fresh|migration:reset|db:wipe|db:truncate",
      },
      { notTesting: true, program: "convex", words: "import", flags: ["--replace|--replace-all"] },
    ],
    message: "This deletes the tables of the application, or undoes all migrations.",
    remedy: "Undo one migration only, after a dump.",
    fires: [
      "npx sequelize-cli db:drop",
      "pnpm typeorm schema:drop -d src/data.ts",
      "yarn knex migrate:rollback --all",
      "npx drizzle-kit push --force",
    ],
    passes: [
      "npx sequelize-cli db:migrate",
      "npx knex migrate:rollback",
      "npx drizzle-kit generate",
      "npx typeorm migration:run",
    ],
  },
  {
    id: "migration-tool-clean",
    family: "safety",
    match: [
      { notTesting: true, program: "flyway", operand: { like: "clean" } },
      {
        notTesting: true,
        program: "liquibase",
        operand: { like: "(?i)drop-?all(?:-sql)?" },
        notText: "drop-?all-?sql",
      },
      { notTesting: true, program: "mvn|mvnw", operand: { like: "flyway:clean|liquibase:dropAll" } },
      {
        notTesting: true,
        program: "gradle|gradlew",
        operand: { like: ":?(?:\\w+:)*(?:flywayClean|dropAll)" },
      },
      { notTesting: true, program: "atlas", words: "schema clean" },
      { notTesting: true, program: "atlas", words: "schema apply|migrate apply", flags: ["--auto-approve"] },
      { notTesting: true, program: "migrate", operand: { like: "drop" } },
      { notTesting: true, program: "migrate", words: "down", flags: ["-all|--all"] },
      { notTesting: true, program: "migrate", text: "\\bdown -all\\b" },
      {
        notTesting: true,
        program: "goose|sql-migrate|dbmate|tern|soda|shmig",
        operand: { like: "reset|drop" },
      },
      { notTesting: true, program: "goose", text: "\\bdown-to 0\\b" },
      { notTesting: true, program: "sqlx", words: "database drop|database reset|db drop|db reset" },
      { notTesting: true, program: "diesel", words: "database reset|database drop" },
      { notTesting: true, program: "sea-orm-cli", words: "migrate fresh|migrate refresh|migrate reset" },
      { notTesting: true, program: "hasura", words: "metadata clear|migrate delete" },
    ],
    message: "This deletes all tables of the database that the tool is set to.",
    remedy: "Look at its URL, dump the database, and undo one step only.",
    fires: [
      "flyway -url=jdbc:postgresql://db/shop clean",
      "docker run --rm flyway/flyway flyway clean",
      "sqlx database drop -y",
      "./mvnw flyway:clean",
      "migrate -path db -database $URL drop -f",
    ],
    passes: [
      "flyway migrate",
      "flyway info",
      "goose status",
      "mvn clean install",
      "gradle clean",
      "liquibase update",
    ],
  },
  {
    id: "alembic-downgrade-base",
    family: "safety",
    match: [
      {
        notTesting: true,
        program: "alembic",
        operand: { like: "base" },
        text: "\\bdowngrade\\b",
        without: "--sql",
      },
      {
        notTesting: true,
        program: "flask",
        words: "db downgrade",
        operand: { like: "base" },
        without: "--sql",
      },
      { notTesting: true, program: "aerich", words: "downgrade", text: "-v[ =]?0\\b|--version[ =]0\\b" },
      { notTesting: true, program: "yoyo", words: "rollback", flags: ["-a|--all|-b|--batch"] },
    ],
    message: "This undoes all migrations, and deletes the tables that they made.",
    remedy: "Go back one step with `downgrade -1`.",
    fires: [
      "alembic downgrade base",
      "poetry run alembic -c prod.ini downgrade base",
      "flask db downgrade base",
    ],
    passes: [
      "alembic upgrade head",
      "alembic downgrade -1",
      "alembic downgrade base --sql",
      "flask db upgrade",
    ],
  },
  {
    id: "elixir-dotnet-drop-database",
    family: "safety",
    match: [
      {
        notTesting: true,
        program: "mix",
        operand: { like: "ecto\\.(?:drop|reset)" },
        notText: "MIX_ENV=test",
      },
      { notTesting: true, program: "mix", words: "ecto.rollback", flags: ["--all"] },
      { notTesting: true, program: "dotnet", words: "ef database drop", without: "--dry-run" },
      { notTesting: true, program: "dotnet", words: "ef database update", operand: { like: "0" } },
      { notTesting: true, program: "dotnet-ef", words: "database drop", without: "--dry-run" },
      {
        notTesting: true,
        program: "lein|clj|sbt",
        operand: { like: "(?:ragtime|flyway)?[Cc]lean(?:Database|Db)|flywayClean" },
      },
    ],
    message: "This deletes the application's database.",
    remedy: "Undo one migration only, after a dump.",
    fires: ["mix ecto.reset", "dotnet ef database drop --force", "bash -c 'mix do ecto.drop + ecto.create'"],
    passes: [
      "mix ecto.migrate",
      "dotnet ef database update",
      "dotnet ef database drop --dry-run",
      "mix test",
    ],
  },
];
