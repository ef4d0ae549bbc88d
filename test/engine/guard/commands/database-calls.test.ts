import assert from "node:assert/strict";
import { test } from "node:test";
import { databaseCalls } from "../../../../src/engine/guard/commands/scripts/database-calls.ts";

const lines = (code: string): string[] =>
  databaseCalls(code).map(({ program, args }) => [program, ...args.map(({ text }) => text)].join(" "));

test("reads statements in code as a client's, with the database that the code opens", () => {
  assert.deepEqual(lines("psycopg2.connect(os.environ['PROD_URL']).cursor().execute('DROP TABLE users')"), [
    "psql -c DROP TABLE users $PROD_URL",
  ]);
  assert.deepEqual(lines("connect(dbname='shop', host='db').execute(\"DELETE FROM users\")"), [
    "psql -d shop -h db -c DELETE FROM users",
  ]);
  assert.deepEqual(lines("new Client(process.env.TEST_URL); c.query(`TRUNCATE users`)"), [
    "psql -d of_test -c TRUNCATE users $TEST_URL",
  ]);
  assert.deepEqual(lines("sqlite3.connect(':memory:').execute('drop table a')"), [
    "psql -d :memory: -c drop table a",
  ]);
});

test("reads calls that delete all rows or a whole store as their client's", () => {
  assert.deepEqual(lines("User.objects.all().delete()"), ["psql -c DELETE FROM User"]);
  assert.deepEqual(lines("prisma.user.deleteMany()"), ["psql -c DELETE FROM user"]);
  assert.deepEqual(lines("MongoClient('mongodb://db').drop_database('shop')"), [
    "mongosh mongodb://db --eval db.dropDatabase()",
  ]);
  assert.deepEqual(lines("redis.Redis(host='cache').flushall()"), ["redis-cli -h cache flushall"]);
  assert.deepEqual(lines("import boto3; boto3.client('rds').delete_db_instance(DBInstanceIdentifier='a')"), [
    "aws rds delete-db-instance DBInstanceIdentifier='a'",
  ]);
  assert.deepEqual(lines("const { DeleteDBInstanceCommand } = require('@aws-sdk/client-rds')"), [
    "aws rds delete-db-instance",
  ]);
  assert.deepEqual(lines("from kubernetes import client; client.CoreV1Api().delete_namespace('prod')"), [
    "kubectl delete namespace prod",
  ]);
});

test("finds none in code without database calls", () => {
  for (const code of [
    "print('DROP TABLE users')",
    "df.drop('x', axis=1)",
    "user.deleteMany({ where: { id } })",
  ])
    assert.deepEqual(lines(code), [], code);
});
