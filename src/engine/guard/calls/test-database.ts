import type { Options } from "./read-options.ts";

/** Words in names of test or throw-away databases. */
const testing =
  /(?:^|[_./-])(?:tests?|testing|te?mp|temporary|e2e|scratch|sandbox|throwaway|ephemeral|preview|playground|ci)\d*(?:[_.-]|$)/iu;
const lasting = /(?:^|[_./-])(?:prod|production|live)(?:[_./-]|$)/iu;

/** Tests whether a name is that of a test or throw-away database. */
const namesThrowaway = (name: string): boolean => testing.test(name) && !lasting.test(name);

/** Folders for temporary files. */
const passing = /^(?::memory:|\/tmp\/|\/var\/tmp\/|\/private\/tmp\/|\/dev\/shm\/)/u;
/** Machines other than this one, its containers and its neighbours in a composed network. */
const far = /\.|prod|live|staging/iu;
const near = /^(?:localhost|127\.0\.0\.1|::1|\[::1\]|0\.0\.0\.0|host\.docker\.internal)?$/u;

const isNear = (host: string): boolean => near.test(host) || !far.test(host);

/** Tests whether an address, name or file is that of a test database on this machine. */
export function isTestDatabase(text: string): boolean {
  const file = text.replace(/^(?:sqlite3?|file|duckdb):(?:\/\/)?/u, "");
  if (passing.test(file)) return true;
  const address = /^[a-z][\w+.]*:(?:[\w+]+:)?\/\/(?:[^@/]*@)?(\[[^\]]*\]|[^/:?]*)(?::\d+)?\/([^?]*)/iu.exec(
    file,
  );
  if (address !== null) return isNear(address[1] ?? "") && namesThrowaway(address[2] ?? "");
  return !/[\s=]/u.test(file) && !/^tests?$/iu.test(file) && namesThrowaway(file);
}

/** Options of database clients that name the database, and the host. */
const databaseOptions = ["-d", "--dbname", "-D", "--database", "--db", "--uri", "--url", "--db-url"];
const hostOptions = ["-h", "--host", "-S", "-H"];
/** Clients with the database as their first operand. */
const namedFirst =
  /^(?:psql|pgcli|mysql|mariadb|mycli|sqlite3|litecli|duckdb|mongosh|mongo|mongorestore|pg_restore|usql)$/u;

/** Clusters that run on the machine itself. */
const localCluster = /^(?:kind-.*|minikube|docker-desktop|k3d-.*|rancher-desktop|colima|orbstack)$/u;
/** Tests use a server's numbered databases from here on; the last is 15. */
const firstForTests = 8;

interface Named {
  /** Names of the databases that a command works on. */
  readonly names: readonly string[];
  /** Whether the location alone shows that it is disposable. */
  readonly isLocal?: boolean;
}

/** Returns the databases that a client works on; null for an unknown program. */
function namedBy(program: string, { values, operands }: Options): Named | null {
  const valuesOf = (...options: readonly string[]): string[] =>
    options.flatMap((name) => values.get(name) ?? []).map(({ text }) => text);
  const words = operands.map(({ text }) => text);
  const isNearHost = valuesOf(...hostOptions).every(isNear);
  const after = (word: string): string[] => words.slice(words.indexOf(word) + 1);
  switch (program) {
    case "dropdb":
      return { names: isNearHost ? words : [] };
    case "mysqladmin":
    case "mariadb-admin":
      return { names: isNearHost ? after("drop").slice(0, 1) : [] };
    case "redis-cli":
    case "valkey-cli":
    case "keydb-cli": {
      const hosts = valuesOf("-h", "--host");
      const urls = valuesOf("-u").map((text) =>
        /^rediss?:\/\/(?:[^@/]*@)?([^/:]*)(?::[^/]*)?\/(\d+)$/u.exec(text),
      );
      const numbers = [...valuesOf("-n"), ...urls.map((url) => url?.[2] ?? "0")];
      const isFar = [...hosts, ...urls.map((url) => url?.[1] ?? "x.prod")].some((host) => !isNear(host));
      const isForTests = numbers.length > 0 && numbers.every((text) => Number(text) >= firstForTests);
      return { names: [], isLocal: isForTests && !isFar };
    }
    case "kubectl":
    case "kubecolor":
    case "k":
    case "oc":
    case "helm": {
      const contexts = valuesOf("--context", "--kube-context");
      const isLocal = contexts.length > 0 && contexts.every((text) => localCluster.test(text));
      const named = words.flatMap((text, at) =>
        /^(?:ns|namespaces?|projects?)$/u.test(text)
          ? words.slice(at + 1)
          : (/^(?:ns|namespaces?|projects?)\/(.+)$/u.exec(text)?.[1] ?? []),
      );
      return { names: named.length > 0 ? named : valuesOf("-n", "--namespace"), isLocal };
    }
    case "mongosh":
    case "mongo": {
      const code = valuesOf("--eval").join(";");
      const siblings = [...code.matchAll(/getSiblingDB\(["']([^"']+)["']\)/gu)].map(([, name = ""]) => name);
      if (siblings.length > 0) return isNearHost ? { names: siblings } : null;
      // Without a name, a client uses the database "test", so the bare name means that one.
      const isNamedTest = words.length === 1 && /^tests?$/u.test(words[0] ?? "");
      return isNamedTest && isNearHost ? { names: words } : null;
    }
    case "aws": {
      const ends = valuesOf("--endpoint-url").map((text) => text.replace(/^https?:\/\/|[:/].*/gsu, ""));
      const isLocal = ends.length > 0 && ends.every((host) => near.test(host) || host === "localstack");
      return { names: [], isLocal };
    }
    case "kafka-topics":
    case "kafka-topics.sh":
      return { names: valuesOf("--topic") };
    case "rabbitmqctl":
      return { names: valuesOf("-p", "--vhost") };
    case "influx":
      return { names: valuesOf("-n", "--name", "-b", "--bucket") };
    case "gcloud":
      return { names: words.slice(0, 3).join(" ") === "sql databases delete" ? words.slice(3) : [] };
    case "curl": {
      const paths = words.flatMap((text) => {
        const [, host = "", path = ""] = /^(?:https?:\/\/)?([^/:]+)(?::\d+)?\/([^?]+)/u.exec(text) ?? [];
        return isNear(host) && path !== "" ? [path] : ["prod"];
      });
      return { names: paths };
    }
    case "docker":
    case "podman":
    case "nerdctl":
    case "docker-compose":
    case "podman-compose": {
      if (words[0] === "volume") return { names: words.slice(2) };
      const files = valuesOf("-f", "--file").map((text) => text.replace(/\.ya?ml$/u, ""));
      return { names: [...valuesOf("-p", "--project-name"), ...files].filter(namesThrowaway).slice(0, 1) };
    }
    default:
      return null;
  }
}

/** Tests whether a client of databases, clusters or queues works on a test instance. */
export function namesTestDatabase(program: string, options: Options): boolean {
  const named = namedBy(program, options);
  if (named !== null) {
    const { names, isLocal = false } = named;
    return (
      isLocal || (names.length > 0 && names.every((name) => namesThrowaway(name) || isTestDatabase(name)))
    );
  }
  const { values, operands } = options;
  const valuesOf = (names: readonly string[]): string[] =>
    names.flatMap((name) => values.get(name) ?? []).map(({ text }) => text);
  if (!valuesOf(hostOptions).every(isNear)) return false;
  const given = valuesOf(["--env"]);
  if (given.length > 0) return given.every((stage) => testStage.test(stage));
  const [first] = operands;
  const names = valuesOf(databaseOptions);
  if (names.length === 0 && first !== undefined && namedFirst.test(program)) names.push(first.text);
  return names.length > 0 && names.every(isTestDatabase);
}

const testStage = /^(?:tests?|testing|ci|e2e)$/iu;
/** Variables with an application's stage, such as `NODE_ENV`. */
const stages =
  /^(?:RAILS|RACK|NODE|APP|MIX|FLASK|DJANGO|HANAMI|SYMFONY|ASPNETCORE|DOTNET|GO|DB|LARAVEL)?_?ENV(?:IRONMENT)?$/u;
/** Variables that name the database. */
const databases = /^(?:\w+_)?(?:DATABASE|DB|POSTGRES|MYSQL|PG|MONGO|MONGODB)_?(?:URL|URI|NAME|DATABASE|DB)$/u;

/**
 * Tests whether an environment selects a test database, by its stage or by name. If they contradict, it does not.
 * @param variables pairs of a name and a value
 */
export function isTestEnvironment(variables: Iterable<readonly [string, string]>): boolean {
  let isFound = false;
  for (const [name, value] of variables) {
    const isStage = stages.test(name);
    if (name === "DJANGO_SETTINGS_MODULE") {
      if (!namesThrowaway(value)) return false;
      isFound = true;
      continue;
    }
    if (!isStage && !databases.test(name)) continue;
    const isTest = isStage ? testStage.test(value) : isTestDatabase(value);
    if (!isTest) return false;
    isFound = true;
  }
  return isFound;
}
