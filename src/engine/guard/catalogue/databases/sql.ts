import type { GuardRule } from "../../calls/rule.ts";

/** Programs that are given SQL on their command line or as their input. */
const clients =
  "psql|pgcli|mysql|mariadb|mycli|sqlite3|litecli|duckdb|sqlcmd|osql|usql|sqlplus|sql|db2|clickhouse-client|clickhouse|clickhouse-local|cqlsh|ycqlsh|ysqlsh|snowsql|snow|trino|presto|spark-sql|hive|beeline|impala-shell|cockroach|turso|bq|wrangler|prisma|heroku|supabase|influx|surreal|pscale|gcloud|aws|typeorm|flyctl|fly|databricks|dbt|isql|tsql|vsql|exasol|questdb|ksql|firebird|libsql|mysqlsh|rqlite|tidb|neonctl";
/** Tables and databases that are made to be dropped. */
const passing =
  "(?:^|[^a-z0-9])(?:te?mp|temporary|tests?|testing|scratch|throwaway|sandbox|e2e)\\d*(?:[^a-z0-9]|$)|:memory:";
/** Likewise of whole databases, where ci is no part of a collation's name. */
const passingDatabase = `${passing}|(?:^|[^a-z0-9])ci\\d*(?:[^a-z0-9]|$)`;
const always =
  "(?:true|1|not false|(?:1 ?= ?1)|(?:'' ?= ?'')|(?:0 ?= ?0)|id (?:> ?0|is not null|<> ?0|> ?-1))";

/** Rules on statements of SQL. Where a statement only stands in a comment or a quoted text, none of them fires. */
export const sqlRules: readonly GuardRule[] = [
  {
    id: "sql-drop-database",
    family: "safety",
    match: [
      {
        program: clients,
        notTesting: true,
        statement: {
          like: "drop (?:database|schema|keyspace|catalog|tablespace|warehouse)\\b",
          unlike: passingDatabase,
        },
        notText: ":memory:",
      },
      {
        program: "dropdb|dropuser",
        without: "--help|-V|--version",
        count: [1, 9],
        notTesting: true,
        notText: passing,
      },
      { program: "mysqladmin|mariadb-admin", words: "drop", notTesting: true, notText: passing },
      { program: "pg_dropcluster|pg_resetwal|pg_resetxlog" },
    ],
    message: "This deletes a whole database with all its tables.",
    remedy: "Dump it first with `pg_dump` or `mysqldump`, and make sure that it is the right server.",
    fires: [
      `psql -h db.prod -U ann -c "DROP DATABASE shop"`,
      `docker exec -i db mysql -uroot -psecret -e 'drop schema if exists shop'`,
      "sudo -u postgres dropdb shop",
      "echo 'DROP DATABASE shop;' | psql",
    ],
    passes: [
      `psql -c "SELECT 'DROP DATABASE shop'"`,
      "dropdb --if-exists shop_test",
      "dropdb shop-ci",
      "dropdb ann_dev_sandbox",
      "psql -c 'DROP DATABASE shop_ci'",
      "createdb shop",
      "grep -r 'DROP DATABASE' migrations",
    ],
  },
  {
    id: "sql-drop-table",
    family: "safety",
    match: [
      {
        program: clients,
        notTesting: true,
        statement: {
          like: "drop (?:table|materialized view|collection|stream|bucket|measurement|series|stage|foreign table|column family)\\b",
          unlike: `${passing}|^drop temporary`,
        },
        notText: ":memory:",
      },
    ],
    message: "This deletes a table with all its rows.",
    remedy: "Rename it for a while, or dump it with `pg_dump -t TABLE` first.",
    fires: [
      `psql shop -c "DROP TABLE users CASCADE"`,
      `sqlite3 app.db 'drop table if exists "order items"'`,
      "psql <<SQL\nBEGIN;\n/* old */ DROP TABLE orders;\nCOMMIT;\nSQL",
      `kubectl exec -it db-0 -- psql -U postgres -Atc "DROP TABLE users"`,
    ],
    passes: [
      `psql -c "select * from log where text like '%DROP TABLE users%'"`,
      `psql -c "DROP TABLE IF EXISTS tmp_import"`,
      "psql -c '\\d users'",
      "git commit -m 'DROP TABLE users'",
    ],
  },
  {
    id: "sql-truncate",
    family: "safety",
    match: [
      {
        program: clients,
        notTesting: true,
        statement: { like: "truncate (?:table |only )?[\\w.]+", unlike: passing },
        notText: ":memory:",
      },
    ],
    message: "This deletes all rows of the table.",
    remedy: "Delete the rows that you mean with a WHERE, inside a transaction.",
    fires: [
      `psql -c 'TRUNCATE orders RESTART IDENTITY CASCADE'`,
      `ssh db1 "mysql shop -e 'TRUNCATE TABLE users'"`,
      "echo 'truncate users' | mysql shop",
    ],
    passes: [
      `mysql -e "SELECT TRUNCATE(1.5, 0)"`,
      `psql -c "truncate test_users"`,
      "truncate -s 0 notes.txt",
    ],
  },
  {
    id: "sql-delete-all-rows",
    family: "safety",
    match: [
      {
        program: clients,
        notTesting: true,
        statement: {
          like: "delete (?:from )?(?:only )?[\\w.]+(?: (?:as )?\\w+)?(?: returning .*)?$",
          unlike: passing,
        },
        notText: ":memory:",
      },
      {
        program: clients,
        notTesting: true,
        statement: {
          like: `delete from (?:only )?[\\w.]+ (?:\\w+ )?where \\(?${always}\\)?$`,
          unlike: passing,
        },
        notText: ":memory:",
      },
    ],
    message: "Without a condition this deletes all rows of the table.",
    remedy: "Add a WHERE, and count the rows with SELECT first.",
    fires: [
      `psql -c "DELETE FROM users"`,
      `mysql -uroot shop -e'delete from orders where 1=1;'`,
      "sqlite3 app.db 'SELECT 1; DELETE FROM users;'",
    ],
    passes: [
      `psql -c "DELETE FROM users WHERE id = 7"`,
      `psql -c "delete from users using gone where users.id = gone.id"`,
      `sqlite3 app.db "delete from sessions where expires < date()"`,
    ],
  },
  {
    id: "sql-update-all-rows",
    family: "safety",
    match: [
      {
        program: clients,
        notTesting: true,
        statement: {
          like: "update (?:only )?[\\w.]+(?: (?:as )?\\w+)? set .+",
          unlike: `\\bwhere\\b|\\bjoin\\b|\\blimit\\b|${passing}`,
        },
        notText: ":memory:",
      },
      {
        program: clients,
        notTesting: true,
        statement: { like: `update (?:only )?[\\w.]+ set .+ where \\(?${always}\\)?$`, unlike: passing },
        notText: ":memory:",
      },
    ],
    message: "Without a condition this changes all rows of the table, and the old values are gone.",
    remedy: "Add a WHERE, and try it inside a transaction that you roll back.",
    fires: [
      `psql -c "UPDATE users SET password = 'x'"`,
      `sudo mysql shop -e "update orders set state='paid' where 1=1"`,
      'echo "update users set admin = true;" | sqlite3 app.db',
    ],
    passes: [
      `psql -c "UPDATE users SET name = 'x' WHERE id = 7"`,
      `psql -c "select 'update users set a = 1'"`,
      "npm update set x",
    ],
  },
  {
    id: "sql-drop-column",
    family: "safety",
    match: [
      {
        program: clients,
        notTesting: true,
        statement: {
          like: "alter table .*\\b(?:drop (?:column|partition)\\b|truncate partition|discard tablespace)",
          unlike: passing,
        },
        notText: ":memory:",
      },
    ],
    message: "The values in this column or partition are gone for good.",
    remedy: "Write a migration, and keep a copy of the column until nothing reads it.",
    fires: [
      `psql -c "ALTER TABLE users DROP COLUMN email"`,
      `bash -c "mysql shop -e 'alter table orders drop partition p2024'"`,
    ],
    passes: [
      `psql -c "ALTER TABLE users ADD COLUMN email text"`,
      `psql -c "alter table users drop constraint users_pkey"`,
    ],
  },
  {
    id: "sql-drop-owner",
    family: "safety",
    match: [
      {
        program: clients,
        notTesting: true,
        statement: { like: "drop (?:owned by|user|role|login)\\b", unlike: passing },
      },
      {
        program: clients,
        statement: {
          like: "(?:reset (?:master|replica|slave)|purge (?:binary|master) logs|set (?:global|persist) (?:read_only|super_read_only) ?= ?(?:on|1)|shutdown$|alter database \\S+ set offline)",
        },
      },
    ],
    message:
      "People or servers lose what they own or follow: rights, tables, or the log that copies are made from.",
    remedy: "Revoke single rights first, and leave logs to their retention.",
    fires: [`psql -c "DROP OWNED BY ann CASCADE"`, `ssh db1 mysql -e "'RESET MASTER'"`],
    passes: [`psql -c "\\du"`, `mysql -e "SHOW MASTER STATUS"`, `psql -c "drop role test_ann"`],
  },
  {
    id: "sql-grant-everything",
    family: "safety",
    action: "advise",
    match: [
      {
        program: clients,
        statement: {
          like: "grant all(?: privileges)? on \\*\\.\\* to|grant .* to public$|alter (?:role|user) .*\\bsuperuser$|create (?:role|user) .*\\bsuperuser\\b",
          unlike: "\\bnosuperuser\\b",
        },
      },
    ],
    message: "The account, or everybody, may then read and change everything on the server.",
    remedy: "Grant the rights that are needed on one database.",
    fires: [
      `mysql -e "GRANT ALL PRIVILEGES ON *.* TO 'ann'@'%'"`,
      `sudo psql -c "ALTER USER ann WITH SUPERUSER"`,
    ],
    passes: [
      `mysql -e "GRANT ALL PRIVILEGES ON shop.* TO 'ann'@'localhost'"`,
      `psql -c "create role ann nosuperuser login"`,
    ],
  },
  {
    id: "sql-read-passwords",
    family: "secrets",
    match: [
      {
        program: clients,
        statement: {
          like: "(?:select|copy) .*\\b(?:pg_shadow|pg_authid|mysql\\.user|mysql\\.global_priv|sys\\.sql_logins|sys\\.syslogins|dba_users)\\b",
          unlike: "^select (?:user|host|user, ?host|host, ?user|count\\(\\*\\)) from mysql\\.user",
        },
      },
    ],
    message: "This prints the password hashes of the server's accounts.",
    remedy: "List accounts with `\\du` or `SELECT user, host FROM mysql.user`.",
    fires: [
      `psql -c "SELECT usename, passwd FROM pg_shadow"`,
      `ssh db1 "mysql -e 'select * from mysql.user'"`,
    ],
    passes: [`mysql -e "SELECT user, host FROM mysql.user"`, `psql -c "\\du"`],
  },
  {
    id: "sql-run-program",
    family: "safety",
    match: [
      {
        program: clients,
        statement: {
          like: "copy .* (?:from|to) program\\b|select .* into (?:outfile|dumpfile)\\b|exec(?:ute)? (?:master\\.\\.|master\\.dbo\\.)?xp_cmdshell|select .*\\bload_file ?\\(|create (?:or replace )?(?:untrusted )?language plpython3?u|select lo_export ?\\(",
        },
      },
    ],
    message: "The database server runs a program or writes a file with its own rights.",
    remedy: "Use `\\copy`, which works with your own files.",
    fires: [
      `psql -c "COPY t FROM PROGRAM 'id'"`,
      `bash -c "mysql -e \\"select 1 into outfile '/var/www/x.php'\\""`,
    ],
    passes: [`psql -c "\\copy users to 'users.csv' csv"`, `psql -c "COPY users FROM stdin"`],
  },
  {
    id: "sql-end-sessions",
    family: "safety",
    action: "advise",
    match: [
      {
        program: clients,
        statement: { like: "select pg_terminate_backend\\(\\w*pid\\)", unlike: "\\bwhere pid ?=" },
      },
      {
        program: clients,
        statement: {
          like: "set (?:global )?(?:foreign_key_checks|sql_safe_updates|unique_checks) ?= ?0|set session_replication_role ?=",
        },
      },
    ],
    message: "This ends other people's sessions, or turns off what keeps the data sound.",
    remedy: "Name the one session, and turn the checks on again in the same statement.",
    fires: [
      `psql -c "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'shop'"`,
      `mysql -e 'SET FOREIGN_KEY_CHECKS=0; SELECT 1'`,
    ],
    passes: [`psql -c "select * from pg_stat_activity"`, `psql -c "select pg_cancel_backend(7)"`],
  },
];
