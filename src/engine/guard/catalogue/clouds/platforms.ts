import type { GuardRule } from "../../calls/rule.ts";

/** Rules on platforms that run applications, and on smaller clouds. */
export const platformRules: readonly GuardRule[] = [
  {
    id: "heroku-destroy",
    family: "safety",
    match: [
      {
        program: "heroku",
        words:
          "apps:destroy|destroy|apps:delete|pipelines:destroy|addons:destroy|addons:remove|spaces:destroy|teams:destroy|domains:clear|pg:backups:delete",
      },
    ],
    message: "This deletes an application, its database or its backups.",
    remedy: "Take a backup with `heroku pg:backups:capture`, and let its owner destroy it.",
    fires: [
      "heroku apps:destroy -a shop --confirm shop",
      "bash -c 'heroku addons:destroy postgresql-cubic-1 --confirm shop'",
    ],
    passes: ["heroku apps", "heroku addons -a shop", "heroku help apps:destroy", "heroku pg:backups:capture"],
  },
  {
    id: "heroku-overwrite-database",
    family: "safety",
    match: [
      {
        program: "heroku",
        words:
          "pg:reset|pg:push|pg:copy|pg:backups:restore|pg:promote|pg:unfollow|redis:cli flushall|data:maintenances:run",
      },
    ],
    message: "This deletes the application's data, or writes other data over it.",
    remedy: "Take a backup with `heroku pg:backups:capture`, and try it on a copy of the application.",
    fires: [
      "heroku pg:reset DATABASE_URL --app shop --confirm shop",
      "npx heroku pg:backups:restore b001 DATABASE_URL -a shop",
    ],
    passes: ["heroku pg:info", "heroku pg:psql -a shop", "heroku pg:backups -a shop"],
  },
  {
    id: "heroku-read-config",
    family: "secrets",
    match: [
      { program: "heroku", words: "config", count: [0, 0] },
      {
        program: "heroku",
        words: "config:get",
        operand: { like: "(?i).*(?:secret|token|key|passw|url|dsn|credential).*" },
      },
      { program: "heroku", words: "pg:credentials:url|auth:token|authorizations:create" },
    ],
    message: "This prints the application's passwords and keys into the conversation.",
    remedy: "Ask only for the one value that is no secret, with `heroku config:get NAME`.",
    fires: ["heroku config -a shop", "ssh ann@ci heroku config:get DATABASE_URL --app shop"],
    passes: [
      "heroku config:set LOG_LEVEL=debug -a shop",
      "heroku config:get LOG_LEVEL",
      "heroku config:unset LOG_LEVEL",
    ],
  },
  {
    id: "fly-destroy",
    family: "safety",
    match: [
      {
        program: "fly|flyctl",
        words:
          "apps destroy|destroy|volumes destroy|volume destroy|volumes delete|vol destroy|machine destroy|machines destroy|machine remove|postgres detach|pg detach|mpg destroy|redis destroy|storage destroy|ips release|volumes snapshots delete",
      },
      { program: "fly|flyctl", words: "scale count", operand: { like: "(?:\\w+=)?0" } },
    ],
    message: "This deletes an application, a machine or a volume with its data, or stops it.",
    remedy: "Take a snapshot with `fly volumes snapshots create`, and stop the machine instead.",
    fires: [
      "fly apps destroy shop --yes",
      "bash -c 'flyctl -a shop volumes destroy vol_1 -y'",
      "fly scale count 0 --yes",
    ],
    passes: ["fly apps list", "fly volumes list -a shop", "fly scale count 2", "fly machine stop 1"],
  },
  {
    id: "web-host-delete",
    family: "safety",
    match: [
      {
        program: "vercel|vc",
        words:
          "remove|rm|project rm|project remove|projects rm|domains rm|domains remove|dns rm|dns remove|teams remove|blob store remove|blob del|certs rm",
      },
      {
        program: "netlify|ntl",
        words: "sites:delete|blobs:delete|api deleteSite|api deleteDnsZone|db:delete",
      },
      { program: "railway", words: "delete|down|volume delete|environment delete|service delete" },
      { program: "render", words: "services delete" },
      { program: "surge", words: "teardown" },
      {
        program: "aptible|scalingo|clever|koyeb|northflank",
        words: "apps:delete|app delete|destroy|delete|apps delete|db:deprovision",
      },
    ],
    message: "This takes a site or a service off the internet, with its data and its history.",
    remedy: "Roll back to an earlier deployment instead, or let its owner delete it.",
    fires: [
      "vercel remove shop --yes",
      "npx netlify sites:delete 123 --force",
      "pnpm vercel project rm shop",
      "railway down -y",
    ],
    passes: ["vercel ls", "vercel --prod", "netlify deploy --prod", "railway up", "npm rm left-pad"],
  },
  {
    id: "web-host-remove-variable",
    family: "safety",
    action: "advise",
    match: [
      { program: "vercel|vc", words: "env rm|env remove" },
      { program: "netlify|ntl", words: "env:unset" },
      { program: "heroku", words: "config:unset|config:remove" },
      { program: "fly|flyctl", words: "secrets unset|secrets rm" },
      { program: "wrangler", words: "secret delete|secret bulk|pages secret delete" },
      { program: "gh", words: "secret delete|variable delete" },
      { program: "firebase", words: "functions:config:unset|functions:secrets:destroy" },
      { program: "supabase", words: "secrets unset" },
    ],
    message: "The application stops working if it still reads this value, which nobody can read back.",
    remedy: "Look in the code for its name first, and keep a copy in the password store.",
    fires: [
      "vercel env rm DATABASE_URL production -y",
      "bash -c 'fly secrets unset API_KEY -a shop'",
      "heroku config:unset DATABASE_URL",
    ],
    passes: ["vercel env ls", "fly secrets list", "heroku config:set A=b"],
  },
  {
    id: "cloudflare-delete",
    family: "safety",
    match: [
      {
        program: "wrangler",
        words:
          "delete|d1 delete|r2 bucket delete|r2 object delete|kv namespace delete|kv:namespace delete|kv bulk delete|kv:bulk delete|queues delete|queues purge|pages project delete|vectorize delete|hyperdrive delete|workflows delete|d1 time-travel restore|versions secret delete|dispatch-namespace delete",
        without: "--local|--dry-run",
      },
    ],
    message: "This deletes a worker, a database or a bucket with its data.",
    remedy: "Export it first, such as with `wrangler d1 export`, and try it with `--local`.",
    fires: [
      "npx wrangler d1 delete shop -y",
      "wrangler r2 bucket delete shop",
      "yarn wrangler delete --name api",
    ],
    passes: ["wrangler d1 list", "wrangler deploy", "wrangler delete --dry-run", "wrangler tail"],
  },
  {
    id: "firebase-delete",
    family: "safety",
    match: [
      {
        program: "firebase",
        words:
          "firestore:delete|database:remove|database:set|hosting:disable|functions:delete|apps:delete|projects:delete|hosting:sites:delete|remoteconfig:rollback|firestore:databases:delete|dataconnect:services:delete|auth:import",
      },
      { program: "firebase", words: "deploy", flags: ["--force|-f"] },
    ],
    message: "This deletes or replaces data, functions or a site that users see.",
    remedy: "Try it in the emulator first, and export the data with `gcloud firestore export`.",
    fires: [
      "firebase firestore:delete --all-collections --force",
      "npx firebase database:remove / -P prod",
      "npx firebase-tools --version && firebase functions:delete pay --force",
    ],
    passes: ["firebase deploy --only hosting", "firebase emulators:start", "firebase database:get /"],
  },
  {
    id: "supabase-reset",
    family: "safety",
    match: [
      { program: "supabase", words: "db reset", flags: ["--linked|--db-url"] },
      { program: "supabase", words: "projects delete|branches delete|functions delete|orgs delete" },
      { program: "supabase", words: "storage rm", flags: ["-r|--recursive"] },
      { program: "supabase", words: "stop", flags: ["--no-backup"] },
    ],
    message: "This deletes the data of a Supabase project.",
    remedy: "Dump it first with `supabase db dump`, and use a branch.",
    fires: ["supabase db reset --linked", "npx supabase projects delete abc", "supabase stop --no-backup"],
    passes: ["supabase db push", "supabase projects list", "supabase stop", "supabase db diff --linked"],
  },
  {
    id: "supabase-reset-local",
    family: "safety",
    action: "advise",
    match: [{ program: "supabase", words: "db reset", without: "--linked|--db-url" }],
    message: "This deletes the data of the local database and makes it anew from the migrations.",
    remedy: "Dump it first with `supabase db dump --local --data-only`.",
    fires: ["supabase db reset", "pnpm supabase db reset --no-seed"],
    passes: ["supabase migration up", "supabase db reset --help"],
  },
  {
    id: "doctl-delete",
    family: "safety",
    match: [
      {
        program: "doctl",
        words:
          "compute droplet delete|compute droplet rm|compute droplet d|compute volume delete|compute snapshot delete|compute image delete|compute domain delete|compute load-balancer delete|databases delete|databases rm|databases db delete|kubernetes cluster delete|k8s cluster delete|apps delete|registry delete|registry repository delete|projects delete|vpcs delete|serverless undeploy|compute firewall delete|compute ssh-key delete",
      },
    ],
    message: "This deletes machines, volumes or databases with their data.",
    remedy: "Take a snapshot first, or power the machine off.",
    fires: ["doctl compute droplet delete web-1 --force", "sudo doctl -t x databases delete 1 -f"],
    passes: [
      "doctl compute droplet list",
      "doctl databases list",
      "doctl compute droplet-action power-off 1",
    ],
  },
  {
    id: "small-cloud-delete",
    family: "safety",
    match: [
      {
        program: "hcloud",
        words:
          "server delete|server rebuild|volume delete|image delete|load-balancer delete|network delete|floating-ip delete|primary-ip delete",
      },
      {
        program: "linode-cli",
        words:
          "linodes delete|linodes rebuild|volumes delete|databases mysql-delete|databases postgresql-delete|lke cluster-delete|domains delete|obj rb",
      },
      {
        program: "vultr-cli|vultr",
        words: "instance delete|database delete|block-storage delete|kubernetes delete|snapshot delete",
      },
      {
        program: "scw",
        words:
          "instance server delete|instance server terminate|rdb instance delete|k8s cluster delete|block volume delete|object bucket delete",
      },
      {
        program: "openstack",
        words:
          "server delete|volume delete|stack delete|project delete|image delete|container delete|object store account unset",
      },
      {
        program: "oci",
        words:
          "compute instance terminate|db database delete|db autonomous-database delete|os bucket delete|os object bulk-delete|iam compartment delete|bv volume delete",
      },
      {
        program: "ibmcloud",
        words:
          "resource service-instance-delete|is instance-delete|ks cluster rm|cf delete|cos bucket-delete",
      },
      { program: "exo|exoscale", words: "compute instance delete|dbaas delete|storage delete|storage rb" },
    ],
    message: "This deletes machines, volumes or databases with their data.",
    remedy: "Take a snapshot first, or only power the machine off.",
    fires: [
      "hcloud server delete web-1",
      "bash -c 'openstack volume delete data'",
      "oci compute instance terminate --instance-id x --force",
    ],
    passes: ["hcloud server list", "hcloud server poweroff web-1", "openstack server show web"],
  },
  {
    id: "object-store-delete",
    family: "safety",
    match: [
      { program: "mc|mcli", words: "rm", flags: ["-r|--recursive"] },
      { program: "mc|mcli", words: "rb", flags: ["--force"] },
      { program: "s3cmd", words: "del|rm", flags: ["-r|--recursive"], without: "-n|--dry-run" },
      { program: "s3cmd", words: "rb" },
      { program: "s5cmd", words: "rb" },
      { program: "s5cmd", words: "rm", operand: { like: "s3://.*\\*.*" } },
      { program: "rclone", words: "purge|delete|cleanup", without: "-n|--dry-run" },
      { program: "b2", words: "delete-bucket|bucket delete|rm" },
    ],
    message: "This deletes all that is below that path of the object store.",
    remedy: "List it first, or use the program's dry run.",
    fires: [
      "mc rm --recursive --force minio/shop",
      "sudo rclone purge remote:backup",
      "s3cmd del -r --force s3://shop",
    ],
    passes: ["rclone ls remote:backup", "rclone delete remote:backup --dry-run", "mc ls minio/shop"],
  },
  {
    id: "object-store-mirror-delete",
    family: "safety",
    action: "advise",
    match: [
      { program: "rclone", words: "sync", without: "-n|--dry-run|-i|--interactive" },
      { program: "mc|mcli", words: "mirror", flags: ["--remove"] },
      { program: "s3cmd", words: "sync", flags: ["--delete-removed"], without: "-n|--dry-run" },
    ],
    message: "What is not at the source is deleted at the target.",
    remedy: "Use `rclone copy`, or a dry run first.",
    fires: ["rclone sync ./dist remote:site", "sudo mc mirror --remove --overwrite dist minio/shop"],
    passes: ["rclone copy ./dist remote:site", "rclone sync -n ./dist remote:site"],
  },
  {
    id: "hosted-database-delete",
    family: "safety",
    match: [
      { program: "pscale", words: "database delete|branch delete|backup delete|password delete" },
      {
        program: "neonctl|neon",
        words:
          "projects delete|branches delete|branches reset|branches restore|databases delete|roles delete",
      },
      { program: "turso", words: "db destroy|group destroy|db tokens invalidate" },
      {
        program: "atlas",
        words: "clusters delete|projects delete|backups snapshots delete|clusters terminate|dbusers delete",
      },
      { program: "xata", words: "dbs delete|branch delete" },
      { program: "upstash", words: "redis delete|kafka cluster delete" },
      {
        program: "ccloud|confluent",
        words: "kafka topic delete|kafka cluster delete|environment delete|schema-registry schema delete",
      },
      { program: "influxctl|tiup|ccloud", words: "database delete|cluster destroy|cluster delete" },
    ],
    message: "This deletes a hosted database, or a branch of it, with its data.",
    remedy: "Make a branch or a backup first, and let its owner delete it.",
    fires: [
      "pscale database delete shop --force",
      "npx neonctl projects delete abc",
      "turso db destroy shop -y",
    ],
    passes: ["pscale branch list shop", "neonctl branches create", "turso db list"],
  },
];
