import { isUnknown, type Argument } from "../commands/invocation.ts";

/** A service that gives tokens to its users, and the places where they belong. */
interface TokenService {
  /** Beginnings of the names of variables with its tokens. Other words may precede those of more than three letters. */
  readonly prefixes: readonly string[];
  /** Programs that print such a token. */
  readonly programs?: readonly string[];
  readonly domains: readonly string[];
  /** First parts of host names where companies run the service themselves. */
  readonly machines?: readonly string[];
}

const google = [
  "googleapis.com",
  "google.com",
  "run.app",
  "cloudfunctions.net",
  "pkg.dev",
  "gcr.io",
  "appspot.com",
];

/** A company's own proxy of a hosted service is another place. */
const services: readonly TokenService[] = [
  {
    prefixes: ["GITHUB", "GH", "GHCR"],
    programs: ["gh"],
    domains: [
      "github.com",
      "githubusercontent.com",
      "ghcr.io",
      "ghe.com",
      "githubcopilot.com",
      "models.github.ai",
    ],
    machines: ["github", "ghe", "git"],
  },
  {
    prefixes: ["GITLAB"],
    programs: ["glab"],
    domains: ["gitlab.com"],
    machines: ["gitlab", "git", "code", "registry"],
  },
  { prefixes: ["BITBUCKET"], domains: ["bitbucket.org"], machines: ["bitbucket", "git", "stash"] },
  { prefixes: ["OPENAI"], domains: ["openai.com", "openai.azure.com"] },
  { prefixes: ["ANTHROPIC", "CLAUDE"], domains: ["anthropic.com", "claude.com", "claude.ai"] },
  { prefixes: ["GEMINI", "GOOGLE", "GCP"], programs: ["gcloud"], domains: google },
  { prefixes: ["MISTRAL"], domains: ["mistral.ai"] },
  { prefixes: ["GROQ"], domains: ["groq.com"] },
  { prefixes: ["OPENROUTER"], domains: ["openrouter.ai"] },
  { prefixes: ["DEEPSEEK"], domains: ["deepseek.com"] },
  { prefixes: ["XAI"], domains: ["x.ai"] },
  { prefixes: ["COHERE"], domains: ["cohere.com", "cohere.ai"] },
  { prefixes: ["REPLICATE"], domains: ["replicate.com"] },
  { prefixes: ["HF", "HUGGINGFACE", "HUGGING_FACE"], domains: ["huggingface.co", "hf.co", "hf-mirror.com"] },
  { prefixes: ["PINECONE"], domains: ["pinecone.io"] },
  {
    prefixes: ["AWS"],
    domains: ["amazonaws.com", "amazonaws.com.cn", "aws.amazon.com", "api.aws"],
    programs: ["aws"],
  },
  {
    prefixes: ["NPM", "NODE_AUTH"],
    programs: ["npm"],
    domains: ["npmjs.org", "npmjs.com", "npm.pkg.github.com"],
    machines: ["npm", "registry", "nexus", "artifactory", "packages", "verdaccio"],
  },
  {
    prefixes: ["PYPI", "TWINE", "UV_PUBLISH"],
    domains: ["pypi.org"],
    machines: ["pypi", "nexus", "artifactory", "packages"],
  },
  { prefixes: ["CARGO_REGISTRY", "CRATES"], domains: ["crates.io"] },
  {
    prefixes: ["DOCKER", "DOCKERHUB"],
    domains: ["docker.com", "docker.io"],
    machines: ["registry", "docker", "harbor"],
  },
  { prefixes: ["STRIPE"], domains: ["stripe.com"] },
  { prefixes: ["PAYPAL"], domains: ["paypal.com"] },
  { prefixes: ["SLACK"], domains: ["slack.com"] },
  { prefixes: ["DISCORD"], domains: ["discord.com", "discordapp.com"] },
  { prefixes: ["TELEGRAM"], domains: ["telegram.org"] },
  { prefixes: ["TWILIO"], domains: ["twilio.com"] },
  { prefixes: ["SENDGRID"], domains: ["sendgrid.com"] },
  { prefixes: ["MAILGUN"], domains: ["mailgun.net", "mailgun.com"] },
  { prefixes: ["RESEND"], domains: ["resend.com"] },
  { prefixes: ["VERCEL"], domains: ["vercel.com", "vercel.app"] },
  { prefixes: ["NETLIFY"], domains: ["netlify.com", "netlify.app"] },
  { prefixes: ["HEROKU"], programs: ["heroku"], domains: ["heroku.com"] },
  { prefixes: ["FLY"], programs: ["fly", "flyctl"], domains: ["fly.io", "fly.dev", "machines.dev"] },
  { prefixes: ["RAILWAY"], domains: ["railway.app", "railway.com"] },
  { prefixes: ["RENDER"], domains: ["render.com"] },
  { prefixes: ["CLOUDFLARE", "CF"], domains: ["cloudflare.com"] },
  {
    prefixes: ["DIGITALOCEAN", "DO"],
    programs: ["doctl"],
    domains: ["digitalocean.com", "digitaloceanspaces.com"],
  },
  { prefixes: ["HCLOUD", "HETZNER"], domains: ["hetzner.cloud", "hetzner.com"] },
  { prefixes: ["SUPABASE"], domains: ["supabase.com", "supabase.co"] },
  { prefixes: ["FIREBASE"], domains: [...google, "firebaseio.com"] },
  { prefixes: ["LINEAR"], domains: ["linear.app"] },
  { prefixes: ["NOTION"], domains: ["notion.com", "notion.so"] },
  { prefixes: ["FIGMA"], domains: ["figma.com"] },
  {
    prefixes: ["JIRA", "ATLASSIAN", "CONFLUENCE"],
    domains: ["atlassian.net", "atlassian.com"],
    machines: ["jira", "confluence", "wiki"],
  },
  { prefixes: ["SENTRY"], domains: ["sentry.io"], machines: ["sentry"] },
  { prefixes: ["DATADOG", "DD"], domains: ["datadoghq.com", "datadoghq.eu", "ddog-gov.com"] },
  { prefixes: ["NEW_RELIC", "NEWRELIC"], domains: ["newrelic.com", "nr-data.net"] },
  { prefixes: ["SHOPIFY"], domains: ["shopify.com", "myshopify.com"] },
  { prefixes: ["CIRCLECI", "CIRCLE"], domains: ["circleci.com"] },
  { prefixes: ["SNYK"], domains: ["snyk.io"] },
  { prefixes: ["CODECOV"], domains: ["codecov.io"] },
];

/** Endings of names of variables with secrets. */
const secret = /(?:TOKEN|KEY|SECRET|PAT|PASSWORD|PASSWD)$/u;
const own =
  /^(?:localhost|127\..*|10\..*|192\.168\..*|172\.(?:1[6-9]|2\d|3[01])\..*|0\.0\.0\.0|\[.*|[^.]*|.*\.(?:local|internal|test|localhost|lan))$/u;
const address = /(?:https?|wss?|ftp):\/\/(?:[^\s/@"']*@)?([^\s/:?#"'`)\\]+)/giu;
const bareAddress = /^([\w-]+(?:\.[\w-]+)+)(?::\d+)?(?:[/?].*)?$/u;

/** Variables and tokens that are looked up per command. */
const maxSources = 100;

/** Tests whether words contain a token of a well-known service, and only addresses of other services. */
export function sendsTokenElsewhere(args: readonly Argument[]): boolean {
  const sources = args
    .flatMap(({ from }) => from.filter((source) => source.startsWith("$") || source.startsWith("token-of-")))
    .slice(0, maxSources);
  const held = services.filter((service) => sources.some((source) => isTokenOf(service, source)));
  if (held.length === 0) return false;
  const hosts = args.flatMap(({ text }) => hostsIn(text));
  return hosts.length > 0 && held.some((service) => hosts.every((host) => isElsewhere(host, service)));
}

function isTokenOf({ prefixes, programs = [] }: TokenService, source: string): boolean {
  if (!source.startsWith("$")) return programs.some((program) => source === `token-of-${program}`);
  const name = source.slice(1).toUpperCase();
  if (!secret.test(name)) return false;
  return prefixes.some(
    (prefix) => name.startsWith(`${prefix}_`) || (prefix.length > 3 && name.includes(`_${prefix}_`)),
  );
}

function hostsIn(text: string): string[] {
  const hosts = [...text.matchAll(address)].map(([, host = ""]) => host.toLowerCase());
  const bare = hosts.length === 0 ? bareAddress.exec(text)?.[1]?.toLowerCase() : undefined;
  return bare === undefined ? hosts : [bare];
}

function isElsewhere(host: string, { domains, machines = [] }: TokenService): boolean {
  if (isUnknown(host) || own.test(host)) return false;
  if (domains.some((domain) => host === domain || host.endsWith(`.${domain}`))) return false;
  // A name such as github.com.x.example only looks like the service.
  const isLike = domains.some((domain) => host.includes(`${domain}.`));
  return isLike || !machines.includes(host.slice(0, host.indexOf(".")));
}
