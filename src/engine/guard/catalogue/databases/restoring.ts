import type { GuardRule } from "../../calls/rule.ts";

/** Rules on writing an old copy over a database, and on deleting its copies. */
export const restoringRules: readonly GuardRule[] = [
  {
    id: "restore-over-database",
    family: "safety",
    match: [
      { program: "pg_restore", flags: ["-c|--clean"], without: "-l|--list" },
      { program: "mongorestore", flags: ["--drop"], without: "--dryRun" },
      { program: "clickhouse-backup", words: "restore|restore_remote", flags: ["--rm|--drop"] },
      {
        program: "neo4j-admin",
        words: "database load",
        flags: ["--overwrite-destination|--overwrite-destination=true"],
      },
      { program: "influx|influxd", words: "restore", flags: ["--full|-full"] },
      { program: "mysqlpump|xtrabackup|mariabackup", flags: ["--copy-back|--move-back"] },
      { program: "wal-g", words: "backup-fetch" },
      { program: "pgbackrest", words: "restore" },
      { program: "barman", words: "recover" },
      { program: "sqlite3", text: "\\.(?:restore|recover)\\b" },
      { program: "sqlcmd|mssql-cli", statement: { like: "restore database .*\\breplace\\b" } },
    ],
    message: "This writes an old copy over what the database holds now.",
    remedy: "Restore into a new database, and compare the two.",
    fires: [
      "pg_restore --clean -d shop backup.dump",
      "docker exec db mongorestore --drop /dump",
      "sudo pgbackrest restore --stanza=main --delta",
    ],
    passes: [
      "pg_restore -l backup.dump",
      "pg_dump -Fc shop > backup.dump",
      "pg_restore -d shop_copy backup.dump",
    ],
  },
  {
    id: "delete-database-backups",
    family: "safety",
    match: [
      { program: "wal-g", words: "delete", flags: ["--confirm"] },
      { program: "pgbackrest", words: "expire|stanza-delete" },
      { program: "barman", words: "delete" },
      { program: "restic", words: "forget", flags: ["--prune"], without: "-n|--dry-run" },
      { program: "restic", words: "key remove|rebuild-index" },
      { program: "borg", words: "delete|prune|recreate", without: "-n|--dry-run|--list" },
      {
        program: "kopia",
        words: "snapshot delete|repository delete|maintenance run",
        flags: ["--delete|--full|--safety"],
      },
      { program: "duplicity", words: "remove-all-but-n-full|remove-older-than|cleanup", flags: ["--force"] },
      { program: "clickhouse-backup", words: "delete" },
      { program: "tmutil", words: "delete|deletelocalsnapshots|disable" },
    ],
    message: "Without these copies lost data cannot be brought back.",
    remedy: "Look with the dry run first, and leave old copies to a schedule.",
    fires: [
      "restic forget --keep-last 1 --prune",
      "sudo borg delete /backup::monday",
      "wal-g delete everything --confirm",
    ],
    passes: [
      "restic snapshots",
      "borg prune --dry-run --keep-daily 7 /backup",
      "wal-g backup-list",
      "borg list /backup",
    ],
  },
  {
    id: "stop-database-hard",
    family: "safety",
    action: "advise",
    match: [
      { program: "pg_ctl", words: "stop|restart", text: "-m *i(?:mmediate)?\\b|--mode[ =]immediate" },
      { program: "pg_ctlcluster", operand: { like: "stop" }, text: "-m *immediate|--force" },
      {
        program: "kill|pkill|killall",
        flags: ["-9|-KILL|-SIGKILL"],
        operand: {
          like: "(?:postgres|postmaster|mysqld|mariadbd|mongod|redis-server|clickhouse-server|cassandra|influxd|etcd)",
        },
      },
    ],
    message: "The database is stopped in the middle of its work and must repair itself.",
    remedy: "Stop it with `pg_ctl stop -m fast`, or through its service.",
    fires: ["pg_ctl stop -D data -m immediate", "sudo pkill -9 postgres", "ssh db1 killall -KILL mysqld"],
    passes: ["pg_ctl stop -m fast", "pkill -9 node", "pg_ctl status", "sudo systemctl restart postgresql"],
  },
];
