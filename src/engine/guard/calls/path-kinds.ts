import path from "node:path";
import { ownValue } from "../own-value.ts";
import type { ShellContext } from "../commands/invocation.ts";
import { unknownPart, unknownText } from "../commands/invocation.ts";

/** What a path is to guard rules. A path is often of several kinds. */
export const pathKinds = [
  "any",
  "root",
  "maybe-root",
  "system",
  "home",
  "home-entry",
  "personal",
  "project",
  "above-project",
  "repository",
  "outside",
  "other-work",
  "everything-here",
  "device",
  "secret",
  "environment-file",
  "private-key",
  "secret-folder",
  "history",
  "fixture",
  "agent-notes",
  "agent-settings",
  "agent-records",
  "purser",
  "lock-file",
  "generated",
  "minified",
  "migration",
  "startup",
  "scheduled",
  "ssh",
  "hooks",
  "log",
  "product",
  "temporary",
] as const;
export type PathKind = (typeof pathKinds)[number];

/** A path as a command names it, made absolute as far as that is known. */
export interface PlacedPath {
  /** Forward slashes, normalized, without a final slash. Not absolute if the folder is unknown. */
  readonly full: string;
  /** As written, with forward slashes. */
  readonly written: string;
  readonly context: ShellContext;
}

export function placePath(written: string, folder: string | null, context: ShellContext): PlacedPath {
  // A POSIX shell turns `D:\*.*` into `D:*.*`.
  const slashed = written
    .replaceAll("\\", "/")
    .replace(/^\/\/[?.]\/(?=[A-Za-z]:)/u, "")
    .replace(/^(?<drive>[A-Za-z]:)(?=[^/])/u, "$<drive>/");
  const isHome = /^~(?:\/|$)/u.test(slashed);
  const fromHome = isHome ? posix(context.home) + slashed.slice(1) : slashed;
  const isAbsolute =
    fromHome.startsWith("/") || /^[A-Za-z]:(?:\/|$)/u.test(fromHome) || startsUnknown(fromHome);
  const base = folder === null ? "" : `${posix(folder)}/`;
  const joined = isAbsolute || fromHome.startsWith("~") ? fromHome : base + fromHome;
  return { full: withinLongest(trimEnd(path.posix.normalize(joined))), written: slashed, context };
}

/** No system opens longer paths. Characters. */
const maxPathLength = 4096;

/** Returns the beginning and end of a too long path, so that expressions on it stay fast. */
function withinLongest(full: string): string {
  if (full.length <= maxPathLength) return full;
  return full.slice(0, maxPathLength / 2) + full.slice(-maxPathLength / 2);
}

const posix = (text: string): string => text.replaceAll("\\", "/");

const startsUnknown = (text: string): boolean => text.startsWith(unknownPart) || text.startsWith(unknownText);

/** Except for the root. */
function trimEnd(text: string): string {
  return text.length > 1 && text.endsWith("/") ? text.slice(0, -1) : text;
}

/** Tests whether a path is of a kind. */
export function isPathKind(kind: PathKind, placed: PlacedPath): boolean {
  return tests[kind](placed);
}

/** Endings that mean all files of a folder: `*`, `.*`, `{*,.*}`, or a name that only the shell knows. */
const allFiles = /\/(?:\*|\.\*|\*\.\*|\*\*|\.|\.\[!\.\]\*|\.\?\?\*|\*\/|\.\.?\*)$/u;

const unknownFile = new RegExp(`/${unknownText}$`, "u");

/** Returns the folder for a path such as `folder/*`, which names all its content; else the path. */
function wholeOf(full: string): string {
  const folder = full.replace(allFiles, "").replace(unknownFile, "");
  return folder === "" ? "/" : folder;
}

const drive = /^[A-Za-z]:$/u;

function isRoot({ full }: PlacedPath): boolean {
  const whole = wholeOf(full);
  return whole === "/" || drive.test(whole) || /^[A-Za-z]:\/$/u.test(full);
}

/** `$UNSET/` and `$UNSET/*` are the root where the variable is empty. */
const maybeRoot = new RegExp(`^${unknownPart}+/?(?:\\*|\\.\\*|\\.)?$`, "u");

function isMaybeRoot({ written }: PlacedPath): boolean {
  return maybeRoot.test(written) && (written.includes("/") || written.includes("*"));
}

const systemFolders =
  /^(?:\/usr\/local(?:\/(?:bin|etc|lib|sbin|share))?|\/(?:bin|boot|dev|etc|lib|lib32|lib64|libx32|proc|root|run|sbin|srv|sys|usr|var|opt|home|Users|Library|System|Applications|Volumes|mnt|media|private|nix|snap)|[A-Za-z]:\/(?:Windows|Program Files|Program Files \(x86\)|ProgramData|Users))$/iu;
const insideSystem =
  /^(?:\/(?:bin|boot|etc|lib|lib32|lib64|proc|sbin|sys|System|nix)\/|\/usr\/(?!local\/.)|\/var\/(?:lib(?!\/apt\/lists)|db|run|spool|backups|www)(?:\/|$)|\/Library\/|\/Applications\/|\/private\/(?:etc|var\/db)|[A-Za-z]:\/(?:Windows|Program Files|Program Files \(x86\))\/)/iu;
const isDeviceFile =
  /^\/dev\/(?:null|zero|stdin|stdout|stderr|tty(?:\d+|S\d+|USB\d+)?|fd(?:\/.*)?|shm(?:\/.+)?|random|urandom|full|pts\/.*|(?:tcp|udp)\/.*)$/u;

/** Completions for shells, which programs install for themselves. */
const completions =
  /^(?:\/etc\/bash_completion\.d|\/usr(?:\/local)?\/share\/(?:bash-completion|zsh|fish)\/.*)\/[^/]+$/u;

function isSystem({ full }: PlacedPath): boolean {
  const whole = wholeOf(full);
  if (completions.test(full)) return false;
  if (isDeviceFile.test(full)) return false;
  return (
    systemFolders.test(whole) ||
    insideSystem.test(`${whole}/`) ||
    (/^\/dev\/./u.test(full) && !isDeviceFile.test(full))
  );
}

const otherHome =
  /^(?:\/home\/[^/]+|\/Users\/[^/]+|\/root|[A-Za-z]:\/Users\/[^/]+|(?:\/mnt)?\/[a-z]\/Users\/[^/]+)$/u;
/** Folders of a home in which each program has a folder for data. */
const keeping =
  /\/(?:Library(?:\/Application Support)?|\.config|\.local\/share|AppData(?:\/(?:Local|Roaming))?)$/u;

function isHome({ full, context: { home } }: PlacedPath): boolean {
  const whole = wholeOf(full);
  return whole === posix(home) || otherHome.test(whole) || whole === "~";
}

/** A file or folder directly in a home: documents, keys, settings. */
function isHomeEntry(placed: PlacedPath): boolean {
  const whole = wholeOf(placed.full);
  const parent = path.posix.dirname(whole);
  const isLasting = !isInside(whole, placed.context.project, true) && !isTemporary(placed);
  return isLasting && isHome({ ...placed, full: parent.replace(keeping, "") });
}

/** Personal files in a home folder: documents, pictures, mail, keys, but not downloads. */
const personal =
  /^(?:~|\/home\/[^/]+|\/Users\/[^/]+|\/root|(?:\/mnt)?(?:\/[a-z]|[A-Za-z]:)\/Users\/[^/]+)\/(?:Documents|Desktop|Pictures|Photos|Music|Movies|Videos|Mail|Maildir|OneDrive[^/]*|Dropbox[^/]*|Google ?Drive|iCloud[^/]*|Nextcloud|Library\/(?:Mail|Messages|Calendars|Mobile Documents|CloudStorage|Keychains)|\.ssh|\.gnupg|\.password-store|\.mozilla|\.thunderbird)(?:\/|$)/u;

function isPersonal({ full, context: { project, home } }: PlacedPath): boolean {
  if (isInside(full, project, true)) return false;
  const base = `${posix(home)}/`;
  return personal.test(full.startsWith(base) ? `~/${full.slice(base.length)}` : full);
}

function isInside(full: string, folder: string | null, orIs: boolean): boolean {
  if (folder === null) return false;
  const base = posix(folder);
  return (orIs && full === base) || full.startsWith(base.endsWith("/") ? base : `${base}/`);
}

/** A path in an unknown folder may be the whole project: the variable that names the folder may be empty. */
function isProject({ full, written, context: { project } }: PlacedPath): boolean {
  if (project === null) return false;
  if (wholeOf(full) === posix(project)) return true;
  return !full.startsWith("/") && !/^[A-Za-z]:/u.test(full) && everythingHere.test(written);
}

const everythingHere = new RegExp(
  `^(?:(?:\\.\\./)*\\.\\.?/?|(?:\\./|(?:\\.\\./)*)(?:\\*|\\.\\*)|\\./${unknownText})$`,
  "u",
);

function isAboveProject({ full, context: { project } }: PlacedPath): boolean {
  const whole = wholeOf(full);
  return project !== null && whole !== posix(project) && isInside(posix(project), whole, false);
}

/** A repository's own folder, or something in it. */
function isRepository({ full }: PlacedPath): boolean {
  return /(?:^|\/)\.(?:git|hg|svn|jj)(?:\/|$)/u.test(full);
}

function isTemporary({ full, context: { temporary, home } }: PlacedPath): boolean {
  // Files in a home are not temporary, even if the home is in the folder for temporary files.
  const isLasting = isInside(full, home, true) && !isInside(temporary, home, false);
  const isCache = /\/(?:\.cache|\.npm\/_cacache|Library\/Caches)(?:\/|$)/u.test(full);
  if (isLasting && !isCache) return false;
  return (
    isInside(full, temporary, false) ||
    /^(?:\/private)?(?:\/tmp|\/var\/tmp|\/var\/folders)\/./u.test(full) ||
    /\/AppData\/Local\/Temp\/|\/(?:\.cache|\.npm\/_cacache|Library\/Caches)(?:\/|$)/iu.test(full)
  );
}

function isOutside(placed: PlacedPath): boolean {
  const {
    full,
    context: { project },
  } = placed;
  const isKnown = full.startsWith("/") || /^[A-Za-z]:/u.test(full);
  return (
    isKnown &&
    project !== null &&
    !isInside(full, project, true) &&
    !isTemporary(placed) &&
    !isDeviceFile.test(full)
  );
}

/** A folder on a disk that is mounted or has a letter of its own. */
const otherDisk = /^(?:\/(?:mnt|media|Volumes)\/[^/]+\/.|[D-Zd-z]:\/.)/u;

/** Files outside the project: in a home, on another disk, or beside the project. */
function isOtherWork(placed: PlacedPath): boolean {
  const { full, written, context } = placed;
  if (!isOutside(placed)) return false;
  if (written.startsWith("../")) return true;
  const beside = context.project === null ? null : path.posix.dirname(posix(context.project));
  return (
    belowHome.test(full) ||
    otherDisk.test(full) ||
    isInside(full, context.home, false) ||
    isInside(full, beside, false)
  );
}

/** Everything in the folder where the command runs. */
function isEverythingHere({ written }: PlacedPath): boolean {
  return /^(?:\.|\.\/|\*|\.\/\*|\.\*|\.\/\.\*|\.\.|\.\.\/|\.\.\/\*)$/u.test(written);
}

const blockDevice =
  /^\/dev\/(?:sd[a-z]\d*|hd[a-z]\d*|vd[a-z]\d*|xvd[a-z]\d*|nvme\d+n\d+(?:p\d+)?|mmcblk\d+(?:p\d+)?|r?disk\d+(?:s\d+)?|mapper\/.+|dm-\d+|md\d+|mem|kmem|port|loop\d+)$|PhysicalDrive\d+$/iu;

const secretNames =
  /^(?:\.env(?:\.(?!example$|sample$|template$|dist$|defaults?$|schema$|vault$|test$|ci$).+)?|\.envrc|id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|.+\.(?:pem|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg|key)|\.netrc|_netrc|\.pgpass|\.my\.cnf|\.git-credentials|\.htpasswd|credentials\.(?:json|csv)|service[-_]account.*\.json|.*-service-account\.json|client_secret.*\.json|secrets?\.(?:ya?ml|json|toml|env)|\.pypirc|\.vault-token|vault_pass(?:\.txt)?|\.s3cfg|\.boto|master\.key|shadow|gshadow|wallet\.dat|\.npmrc|auth\.json|\.credentials\.json|oauth_creds\.json|hosts\.yml|terraform\.tfvars|.*\.auto\.tfvars)$/iu;
const secretPlaces =
  /(?:^|\/)(?:\.aws\/(?:credentials|sso\/cache\/.+|cli\/cache\/.+)|\.ssh\/(?!known_hosts|config$|.*\.pub$|authorized_keys$).+|\.gnupg\/.+|\.docker\/config\.json|\.kube\/config|\.config\/gcloud\/.*(?:credentials|access_tokens|legacy_credentials).*|\.azure\/(?:accessTokens|msal_token_cache).*|\.config\/op\/.+|\.password-store\/.+|Library\/Keychains\/.+|Library\/Application Support\/Google\/Chrome\/.*(?:Login Data|Cookies)|\.mozilla\/firefox\/.*(?:logins\.json|key4\.db|cookies\.sqlite)|\.config\/(?:google-chrome|chromium|BraveSoftware|microsoft-edge|vivaldi)\/.*(?:Login Data|Cookies|Local State)|\.config\/solana\/(?:.*\/)?id\.json|\.(?:ethereum|foundry|web3|geth)\/(?:.*\/)?keystores?\/.+|\.electrum\/wallets\/.+|\.near-credentials\/.+|\.sui\/.*sui\.keystore|\.aptos\/config\.yaml|\.local\/share\/keyrings\/.+|\.config\/(?:rclone\/rclone\.conf|doctl\/config\.yaml|Bitwarden(?: CLI)?\/data\.json|gh-copilot\/.+|github-copilot\/(?:hosts|apps)\.json|hub|configstore\/firebase-tools\.json|netlify\/config\.json)|\.terraform\.d\/credentials\.tfrc\.json|\.cargo\/credentials(?:\.toml)?|\.gem\/credentials|\.m2\/settings-security\.xml|\.databrickscfg|\.snowsql\/config|\.kaggle\/kaggle\.json|\.(?:anthropic|openai|mistral|groq|replicate|config\/[\w.-]+)\/(?:api[_-]?key|token|credentials)(?:\.txt|\.json)?|\.(?:cache\/)?huggingface\/token|\.fly\/config\.yml|\.oci\/.*\.pem|\.railway\/config\.json|\.ngrok2\/ngrok\.yml|(?:run|var\/run)\/secrets\/.+|proc\/(?:self|\d+)\/environ)$/isu;
/** Files of these names are secrets only in the folders of certain programs. */
const secretsByFolder: Readonly<Record<string, RegExp>> = {
  ".npmrc": /^(?:\/home\/|\/Users\/|\/root\/|[A-Za-z]:\/Users\/)[^/]*\/?\.npmrc$/u,
  "auth.json": /\/\.(?:codex|composer|local\/share\/containers|docker)\//u,
  "hosts.yml": /\/\.config\/gh\/hosts\.yml$/u,
};
/** Names of public keys and certificates. */
const publicKeys =
  /(?:\.pub|public[-_.]?key.{0,250}|cert(?:ificate)?s?\.pem|ca(?:-bundle|cert)?\.pem|chain\.pem|\.crt\.pem)$/iu;

function isSecret({ full }: PlacedPath): boolean {
  const name = path.posix.basename(full);
  const place = ownValue(secretsByFolder, name);
  if (place !== undefined) return place.test(full);
  if (secretPlaces.test(full)) return true;
  if (fixtures.test(full)) return false;
  return secretNames.test(name) && !publicKeys.test(name);
}

/** Folders and files with invented keys and passwords. */
const fixtures =
  /(?:^|\/)(?:fixtures?|testdata|test-data|__fixtures__|__tests__|__mocks__|tests?|specs?|e2e|examples?|samples?|docs?|node_modules)\/|(?:[._-](?:tests?|spec|example|sample|fixture|mock)s?\.[a-z]+|_test\.[a-z]+|\.(?:mdx?|rst|adoc|example|sample|template|snap))$|(?:^|\/)test_[^/]+$/iu;
const privateKeys =
  /(?:^|\/)(?:id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|[^/]+\.(?:pem|p12|pfx|jks|keystore|ppk|key)|master\.key|wallet\.dat)$|\/\.ssh\/|\/\.gnupg\//iu;
const secretFolders =
  /(?:^|\/)(?:\.ssh|\.aws|\.gnupg|\.password-store|\.kube|\.azure|\.docker|\.config\/(?:gcloud|gh|op|google-chrome)|\.mozilla(?:\/firefox(?:\/[^/]+)?)?|\.config\/(?:google-chrome|chromium|BraveSoftware\/Brave-Browser|microsoft-edge)\/(?:Default|Profile [^/]+)|Library\/Application Support\/(?:Google\/Chrome|BraveSoftware\/Brave-Browser|Microsoft Edge|Firefox(?:\/Profiles)?)(?:\/[^/]+)?|AppData\/(?:Local\/(?:Google\/Chrome|Microsoft\/Edge|BraveSoftware\/Brave-Browser)\/User Data|Roaming\/Mozilla\/Firefox(?:\/Profiles)?)(?:\/[^/]+)?|\.ethereum\/keystore|\.config\/solana|Library\/Keychains|\.electrum|\.bitcoin)$/u;
const histories =
  /(?:^|\/)(?:\.(?:bash|zsh|sh|psql|mysql|python|sqlite|node_repl|rediscli|irb|pry|mongo)_?history|\.histfile|fish_history|ConsoleHost_history\.txt|\.lesshst|\.viminfo)$/u;
/** Notes, plans and memories in the agents' homes. */
const agentNotes =
  /\/\.(?:claude|codex|gemini|copilot|cursor|agents)\/(?:plans|projects|todos|memory|memories|skills|commands|agents|prompts|sessions|scratch|tmp|[A-Z]+\.md)(?:\/|$)/u;
const migrationFolder = /(?:^|\/)(?:migrations?|migrate|versions)\//u;
const migrationName =
  /(?:^|\/)(?:[Vv]?\d{3,}[_-][^/]*|V\d+(?:\.\d+)*__[^/]+|\d{10}[^/]*(?:\/[^/]+)?|[0-9a-f]{12}_[^/]+\.py)$/u;
const minified =
  /(?:\.min\.(?:js|css|mjs)|\.(?:bundle|chunk)\.(?:js|css)|\.(?:js|css|mjs)\.map|-bundle\.js|\.(?:wasm|woff2?|ttf|png|jpe?g|gif|ico|pdf|zip|gz|tgz|bz2|xz|7z|jar|war|so|dylib|dll|exe|o|a|pyc|class|sqlite3?|db|mp[34]|mov|avi))$/iu;

const agentSettings =
  /(?:^|\/)(?:\.claude\/(?:settings(?:\.local)?\.json|hooks\/.+|managed-settings\.json)|\.claude\.json|\.codex\/(?:config\.toml|hooks\.json|rules\/.+)|\.copilot\/(?:config|mcp-config|hooks).*|\.gemini\/(?:settings\.json|policies\/.+)|\.github\/hooks\/.+|\.mcp\.json|\.cursor\/(?:mcp\.json|hooks\.json)|managed-settings\.json|claude_desktop_config\.json)$/su;
const lockFiles =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|poetry\.lock|uv\.lock|Pipfile\.lock|pdm\.lock|composer\.lock|Gemfile\.lock|go\.sum|mix\.lock|pubspec\.lock|Podfile\.lock|flake\.lock|packages\.lock\.json|gradle\.lockfile|deno\.lock|\.terraform\.lock\.hcl)$/u;
const generated =
  /(?:^|\/)(?:node_modules|\.venv|venv|site-packages|__pycache__|\.next|\.nuxt|\.svelte-kit|\.turbo|\.gradle|Pods|DerivedData|\.dart_tool|bower_components)\/|\.(?:min\.(?:js|css)|pb\.go|pb2?\.py|g\.dart|freezed\.dart|designer\.cs|generated\.[a-z]+)$|(?:^|\/)schema\.generated\.[a-z]+$|(?:_generated\.[a-z]+|\.gen\.(?:ts|go|js))$/u;
const startup =
  /(?:^|\/)(?:\.(?:bashrc|bash_profile|bash_login|profile|zshrc|zshenv|zprofile|zlogin|cshrc|tcshrc|kshrc|inputrc|bash_logout)|\.config\/fish\/config\.fish|(?:Microsoft\.PowerShell_)?profile\.ps1)$|^\/etc\/(?:profile|bash\.bashrc|zshrc|environment|profile\.d\/.+)$/u;
const scheduled =
  /^\/etc\/(?:cron\.[a-z]+\/.+|crontab|systemd\/.+|init\.d\/.+|rc\.local|ld\.so\.preload)$|^\/var\/spool\/cron|\/\.config\/(?:systemd\/user|autostart)(?:\/|$)|\/Library\/Launch(?:Agents|Daemons)(?:\/|$)|\/Start Menu\/Programs\/Startup\//iu;
/** Build outputs and caches. */
const products =
  /\/(?:node_modules|[\w.-]*caches?|_cacache|__pycache__|\.next|\.nuxt|\.turbo|DerivedData|\.gradle|\.m2|\.npm|\.pnpm-store|\.cargo\/registry)(?:\/|$)|\/(?:dist|build|out|target|\.?venv|te?mp|coverage|logs?)(?:\/\*)?$/iu;
const logs = /\.(?:log|log\.\d+|out|trace|jsonl|ndjson)$|(?:^|\/)logs?\/[^/]+$/u;

function isMigration({ full }: PlacedPath): boolean {
  const folder = migrationFolder.exec(full);
  return folder !== null && migrationName.test(full.slice(folder.index + folder[0].length));
}

/** Folders of agents' transcripts, below a home. */
const agentRecords =
  /^\.(?:claude\/(?:projects(?!\/[^/]+\/memory(?:\/|$))|sessions|todos|file-history|shell-snapshots|history\.jsonl|transcripts)|codex\/(?:sessions|archived_sessions|history\.jsonl)|copilot(?:\/(?:session-state|history-session-state|logs))?|gemini\/(?:tmp|history)|cursor\/(?:projects|chats)|qwen\/(?:tmp|projects)|continue\/sessions|config\/github-copilot|local\/share\/(?:opencode|amp)|factory\/sessions|kiro\/sessions)(?:\/|$)|^(?:\.config|Library\/Application Support|AppData\/Roaming)\/(?:Code|Code - Insiders|Cursor|VSCodium)\/User\/(?:workspaceStorage|globalStorage)(?:\/|$)/u;
const belowHome = /^(?:~|\/home\/[^/]+|\/Users\/[^/]+|\/root|[A-Za-z]:\/Users\/[^/]+)\/(?<rest>.+)$/u;

function isAgentRecord({ full, context: { home } }: PlacedPath): boolean {
  const base = `${posix(home)}/`;
  const rest = full.startsWith(base) ? full.slice(base.length) : belowHome.exec(full)?.groups?.["rest"];
  return rest !== undefined && agentRecords.test(rest);
}

const tests: Readonly<Record<PathKind, (placed: PlacedPath) => boolean>> = {
  any: () => true,
  root: isRoot,
  "maybe-root": isMaybeRoot,
  system: isSystem,
  home: isHome,
  "home-entry": isHomeEntry,
  personal: isPersonal,
  project: isProject,
  "above-project": isAboveProject,
  repository: isRepository,
  outside: isOutside,
  "other-work": isOtherWork,
  "everything-here": isEverythingHere,
  device: ({ full }) => blockDevice.test(full),
  secret: isSecret,
  "environment-file": (placed) => isSecret(placed) && /(?:^|\/)\.env(?:rc|\.[^/]+)?$/iu.test(placed.full),
  "private-key": (placed) => isSecret(placed) && privateKeys.test(placed.full),
  "secret-folder": ({ full }) => secretFolders.test(wholeOf(full)),
  history: ({ full }) => histories.test(full),
  fixture: ({ full }) => fixtures.test(full),
  "agent-notes": ({ full }) => agentNotes.test(full),
  "agent-settings": ({ full }) => agentSettings.test(full),
  "agent-records": isAgentRecord,
  purser: ({ full }) => /(?:^|\/)\.purser(?:\/|$)/u.test(full),
  "lock-file": ({ full }) => lockFiles.test(full),
  generated: ({ full }) => generated.test(full),
  minified: ({ full }) => minified.test(full),
  migration: isMigration,
  startup: ({ full }) => startup.test(full),
  scheduled: ({ full }) => scheduled.test(full),
  ssh: ({ full }) => /(?:^|\/)\.ssh(?:\/|$)/u.test(full),
  hooks: ({ full }) => /(?:^|\/)\.git\/hooks(?:\/|$)|(?:^|\/)\.husky\/./u.test(full),
  log: ({ full }) => logs.test(full),
  product: ({ full }) => products.test(full) && !/^\/(?:usr|opt|srv)\//u.test(full),
  temporary: isTemporary,
};
