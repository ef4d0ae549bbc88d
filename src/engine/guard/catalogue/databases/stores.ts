import type { GuardRule } from "../../calls/rule.ts";

const redis = "redis-cli|valkey-cli|keydb-cli";
const kafkaTopics = "kafka-topics|kafka-topics.sh";
const mongo = "mongosh|mongo";

/** Rules on stores that speak no SQL, queues and search engines. */
export const storeRules: readonly GuardRule[] = [
  {
    id: "redis-flush",
    family: "safety",
    match: [
      { program: redis, words: "flushall|FLUSHALL|FlushAll" },
      { program: redis, words: "flushdb|FLUSHDB|FlushDB", notTesting: true },
      { program: redis, text: "(?:^|\\n)\\s*flushall\\b" },
      { program: redis, text: "(?:^|\\n)\\s*flushdb\\b", notTesting: true },
      { program: redis, words: "eval|EVAL", text: "redis\\.call\\W+flush(?:all|db)" },
    ],
    message: "This deletes all keys of the database, or of the whole server.",
    remedy: "Delete the keys that you mean, found with `--scan --pattern`.",
    fires: [
      "redis-cli FLUSHALL",
      "docker exec cache redis-cli -n 2 flushdb async",
      "echo flushall | redis-cli -h cache.prod",
      "redis-cli -u redis://cache:6379 flushall",
    ],
    passes: [
      "redis-cli -n 15 FLUSHDB",
      "redis-cli get flushall",
      "redis-cli help flushall",
      "echo flushall",
      "redis-cli dbsize",
    ],
  },
  {
    id: "redis-delete-many",
    family: "safety",
    match: [
      { program: redis, words: "del|DEL|unlink|UNLINK", via: "xargs", from: redis },
      { program: redis, words: "del|DEL|unlink|UNLINK", operand: { from: redis } },
      { program: redis, words: "shutdown|SHUTDOWN", text: "\\bnosave\\b" },
      {
        program: redis,
        words: "debug|DEBUG",
        text: "\\b(?:segfault|crash-and-recover|reload nosave|flushall)\\b",
      },
      {
        program: redis,
        words: "script flush|SCRIPT FLUSH|function flush|FUNCTION FLUSH|cluster reset|CLUSTER RESET",
      },
    ],
    message: "This deletes all keys that are found, or what the server has not saved yet.",
    remedy: "Read the list of keys first, and let them expire.",
    fires: [
      "redis-cli --scan --pattern 'user:*' | xargs redis-cli del",
      "ssh cache redis-cli shutdown nosave",
      "redis-cli del $(redis-cli keys '*')",
    ],
    passes: ["redis-cli del session:7", "redis-cli --scan --pattern 'user:*'", "redis-cli shutdown save"],
  },
  {
    id: "redis-open-server",
    family: "safety",
    match: [
      {
        program: redis,
        words: "config set|CONFIG SET",
        text: "\\b(?:protected-mode no|requirepass *\\n|dir /|dbfilename|appendonly no|save *\\n)",
      },
      { program: redis, words: "slaveof|SLAVEOF|replicaof|REPLICAOF", count: [2, 2], notText: "of no one" },
      { program: redis, words: "module load|MODULE LOAD" },
      { program: "redis-server", text: "--protected-mode no|--bind (?:0\\.0\\.0\\.0|\\*)" },
    ],
    message: "The server becomes open to others, writes its file elsewhere, or takes another one's data.",
    remedy: "Change it in the server's configuration file, where others see it.",
    fires: [
      "redis-cli config set dir /root/.ssh",
      "bash -c 'redis-cli replicaof 10.0.0.9 6379'",
      "redis-server --protected-mode no",
    ],
    passes: [
      "redis-cli config get dir",
      "redis-cli config set maxmemory 1gb",
      "redis-cli replicaof no one",
      "redis-server --port 6380",
    ],
  },
  {
    id: "mongo-drop",
    family: "safety",
    match: [
      {
        program: mongo,
        notTesting: true,
        text: "\\bdropDatabase\\s*\\(|\\.(?:drop|dropUser|dropAllUsersFromDatabase)\\s*\\(|\\bdropDatabase\\W+:?\\s*1",
      },
      {
        program: mongo,
        notTesting: true,
        text: "\\.(?:deleteMany|remove|updateMany|findAndModify)\\s*\\(\\s*(?:\\{\\s*\\}|\\))",
      },
    ],
    message: "This deletes a database or a collection, or changes all its documents.",
    remedy: "Dump it first with `mongodump`, and give a filter.",
    fires: [
      "mongosh shop --eval 'db.dropDatabase()'",
      `docker exec db mongosh --quiet --eval "db.users.drop()" shop`,
      "echo 'db.users.deleteMany({})' | mongosh shop",
    ],
    passes: [
      "mongosh shop_test --eval 'db.dropDatabase()'",
      "mongosh shop --eval 'db.users.deleteMany({ old: true })'",
      "mongosh --eval 'db.users.countDocuments({})'",
      "mongosh --eval 'db.users.dropIndex(\"a\")'",
    ],
  },
  {
    id: "kafka-delete",
    family: "safety",
    match: [
      { program: kafkaTopics, flags: ["--delete"], notTesting: true },
      {
        program:
          "kafka-delete-records|kafka-delete-records.sh|kafka-streams-application-reset|kafka-streams-application-reset.sh|kafka-storage|kafka-storage.sh",
        without: "--dry-run",
        notText: "^(?:info|random-uuid)",
      },
      { program: "kafka-consumer-groups|kafka-consumer-groups.sh", flags: ["--delete|--delete-offsets"] },
      { program: "kafka-consumer-groups|kafka-consumer-groups.sh", flags: ["--reset-offsets", "--execute"] },
      {
        program: "kafka-configs|kafka-configs.sh",
        flags: ["--alter"],
        text: "\\bretention\\.(?:ms|bytes)=\\d{1,5}\\b",
      },
      { program: "rpk", words: "topic delete|topic trim-prefix|group delete|group seek|cluster partitions" },
      {
        program: "pulsar-admin",
        words:
          "topics delete|namespaces delete|tenants delete|topics delete-partitioned-topic|topics clear-backlog|namespaces clear-backlog",
      },
      { program: "nats", words: "stream rm|stream delete|stream purge|kv del|kv rm|object rm|consumer rm" },
    ],
    message: "Messages are deleted, or read again or skipped by those who consume them.",
    remedy: "Look at the topic with `--describe`, and ask who reads it.",
    fires: [
      "kafka-topics.sh --bootstrap-server k:9092 --delete --topic orders",
      "docker exec kafka kafka-consumer-groups --bootstrap-server k:9092 --group web --reset-offsets --to-latest --all-topics --execute",
      "nats stream purge ORDERS -f",
    ],
    passes: [
      "kafka-topics.sh --bootstrap-server k:9092 --list",
      "kafka-consumer-groups --group web --reset-offsets --to-latest --dry-run",
      "nats stream ls",
    ],
  },
  {
    id: "rabbit-reset",
    family: "safety",
    match: [
      {
        program: "rabbitmqctl",
        notTesting: true,
        words:
          "reset|force_reset|delete_queue|purge_queue|delete_vhost|delete_user|clear_permissions|forget_cluster_node|stop_app reset",
      },
      {
        program: "rabbitmqadmin",
        words:
          "delete queue|delete exchange|delete vhost|delete user|purge queue|queues delete|queues purge|vhosts delete",
      },
      { program: "celery", words: "purge|amqp queue.purge" },
      { program: "celery", flags: ["-A|--app"], text: "\\bpurge\\b" },
      { program: "rq", words: "empty" },
    ],
    message: "The messages that wait there are lost, or the broker forgets all that it knows.",
    remedy: "Export the definitions, and let the consumers work the queue off.",
    fires: [
      "rabbitmqctl force_reset",
      "sudo rabbitmqctl -n rabbit@q1 delete_vhost shop",
      "celery -A shop purge -f",
      "ssh q1 rabbitmqadmin purge queue name=orders",
    ],
    passes: [
      "rabbitmqctl list_queues",
      "rabbitmqctl status",
      "celery -A shop worker",
      "rabbitmqadmin list queues",
    ],
  },
  {
    id: "search-delete-index",
    family: "safety",
    match: [
      {
        program: "curl|wget|http|xh|curlie",
        notTesting: true,
        value: { of: "-X|--request|--method", like: "(?i)delete" },
        text: "(?::(?:9200|9243|7700|8108|6333|8983|5984)|//(?:elastic|opensearch|es\\d*\\b)[^ /]*)/(?:[\\w*_.,-]+|indexes/[\\w-]+|collections/[\\w-]+)/?(?:\\?[^ ]*)?(?: |\\n|$)",
      },
      { program: "curl|http|xh", text: '/_delete_by_query\\b.*"match_all"|/_delete_by_query\\b.*q=\\*' },
      { program: "solr", words: "delete" },
      { program: "elasticsearch-node", words: "unsafe-bootstrap|detach-cluster|repurpose" },
      { program: "curator_cli|curator", words: "delete-indices|delete_indices" },
    ],
    message: "This deletes whole indices with all their documents.",
    remedy: "Take a snapshot first, and name one index by its full name.",
    fires: [
      "curl -X DELETE localhost:9200/orders",
      "sudo curl -sXDELETE 'http://es:9200/_all'",
      `curl -XPOST localhost:9200/orders/_delete_by_query -d '{"query":{"match_all":{}}}'`,
    ],
    passes: [
      "curl localhost:9200/_cat/indices",
      "curl -X DELETE localhost:9200/orders/_doc/7",
      "curl -X DELETE https://api.example.com/items/7",
      "curl -X POST localhost:9200/orders/_search",
    ],
  },
  {
    id: "cassandra-remove",
    family: "safety",
    match: [
      {
        program: "nodetool",
        words:
          "decommission|removenode|assassinate|clearsnapshot|truncatehints|disablegossip|resetlocalschema",
      },
      { program: "nodetool", words: "drain|disablebinary|stopdaemon" },
      { program: "sstableutil|sstablescrub", flags: ["--cleanup|-c"] },
    ],
    message: "A server leaves the cluster or stops serving, or its snapshots are deleted.",
    remedy: "Look at the ring with `nodetool status`, and repair it first.",
    fires: ["nodetool decommission", "ssh c1 nodetool removenode 1"],
    passes: ["nodetool status", "nodetool snapshot shop", "nodetool repair"],
  },
  {
    id: "influx-delete",
    family: "safety",
    match: [
      {
        program: "influx",
        notTesting: true,
        words: "delete|bucket delete|org delete|auth delete|user delete",
      },
      { program: "promtool", words: "tsdb delete" },
      { program: "curl", text: "/api/v1/admin/tsdb/(?:delete_series|clean_tombstones)" },
    ],
    message: "This deletes measurements of a whole time, or a whole bucket.",
    remedy: "Back it up with `influx backup`, and set a retention instead.",
    fires: [
      "influx delete --bucket metrics --start 1970-01-01T00:00:00Z --stop 2030-01-01T00:00:00Z",
      "docker exec tsdb influx bucket delete -n metrics",
      "curl -XPOST 'localhost:9090/api/v1/admin/tsdb/delete_series?match[]={a=\"b\"}'",
    ],
    passes: [
      "influx bucket list",
      "influx query 'from(bucket:\"m\")'",
      "curl 'localhost:9090/api/v1/query?query=up'",
    ],
  },
  {
    id: "graph-delete-all",
    family: "safety",
    match: [
      {
        program: "cypher-shell|neo4j-shell|redis-cli|falkordb",
        text: "\\bmatch *\\(\\w*\\) *(?:optional match *\\(\\w*\\)-\\[\\w*\\]-\\(\\) *)?(?:detach +)?delete\\b",
      },
      { program: "zkcli|zkcli.sh|zookeepercli", words: "deleteall|rmr" },
      {
        program: "couchbase-cli",
        words: "bucket-delete|bucket-flush|collection-manage",
        text: "bucket-delete|bucket-flush|--drop-",
      },
      { program: "arangorestore", flags: ["--overwrite"] },
      { program: "nc|ncat|netcat|telnet", text: "\\bflush_all\\b" },
      { program: "memcflush" },
      {
        program: "cbq",
        statement: { like: "(?:drop|delete) (?:from |bucket |scope |collection )?[\\w.]+$" },
      },
    ],
    message: "This deletes all that the store holds.",
    remedy: "Back it up first, and delete what you mean by a condition.",
    fires: [
      "cypher-shell 'MATCH (n) DETACH DELETE n'",
      "echo flush_all | nc localhost 11211",
      "docker exec zk zkCli.sh deleteall /brokers",
    ],
    passes: [
      "cypher-shell 'MATCH (n:User {id: 7}) DETACH DELETE n'",
      "nc -z localhost 11211",
      "zkCli.sh ls /",
    ],
  },
];
