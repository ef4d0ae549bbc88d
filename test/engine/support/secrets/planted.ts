/** Letters and digits as keys have them: the same each time, and nobody's. */
function letters(length: number, from = "aZ3kQ9xT7mB2vN8pL5wR1yH6cJ4dF0gS"): string {
  let made = "";
  for (let at = 0; made.length < length; at += 1) made += from.charAt((at * 7 + (at >> 5) * 3) % from.length);
  return made;
}
const digits = (length: number) => letters(length, "7306918254");
const hex = (length: number) => letters(length, "0f1e2d3c4b5a69788796");
const capitals = (length: number) => letters(length, "QX7RTZ2LMN5BVK3C");

/** A secret in the words around it, as people and tools write it. */
export interface PlantedSecret {
  readonly kind: string;
  readonly secret: string;
  readonly line: string;
}

function planted(
  kind: string,
  secret: string,
  line: (secret: string) => string = (each) => each,
): PlantedSecret {
  return { kind, secret, line: line(secret) };
}

/** Secrets of forty kinds and more, made up for tests. None is written out in this file, so that no scanner takes it for a real one. */
export const plantedSecrets: readonly PlantedSecret[] = [
  planted("Anthropic key", `sk-ant-api03-${letters(40)}`),
  planted("OpenAI key", `sk-${letters(48)}`),
  planted("OpenAI project key", `sk-proj-${letters(48)}`),
  planted("OpenRouter key", `sk-or-v1-${hex(64)}`),
  planted("GitHub token", `ghp_${letters(36)}`),
  planted("GitHub app token", `ghs_${letters(36)}`),
  planted("GitHub fine-grained token", `github_pat_${letters(22)}_${letters(59)}`),
  planted("GitLab token", `glpat-${letters(20)}`),
  planted("npm token", `npm_${letters(36)}`),
  planted("PyPI token", `pypi-AgEIcHlwaS5vcmc${letters(60)}`),
  planted("RubyGems key", `rubygems_${hex(48)}`),
  planted("Docker Hub token", `dckr_pat_${letters(27)}`),
  planted("Hugging Face token", `hf_${letters(34)}`),
  planted("AWS access key", `AKIA${capitals(16)}`),
  planted("AWS secret key", letters(40), (each) => `aws_secret_access_key = ${each}`),
  planted("Google API key", `AIza${letters(35)}`),
  planted("Google OAuth token", `ya29.${letters(60)}`),
  planted("Google client secret", `GOCSPX-${letters(28)}`),
  planted("Azure storage key", `${letters(86)}==`, (each) => `AccountName=shop;AccountKey=${each};`),
  planted("Azure client secret", `${letters(3)}8Q~${letters(34)}`, (each) => `AZURE_CLIENT_SECRET=${each}`),
  planted("Slack bot token", `xoxb-${digits(12)}-${digits(12)}-${letters(24)}`),
  planted("Slack app token", `xapp-1-${capitals(11)}-${digits(13)}-${hex(64)}`),
  planted(
    "Slack webhook",
    `T${capitals(8)}/B${capitals(10)}/${letters(24)}`,
    (each) => `https://hooks.slack.com/services/${each}`,
  ),
  planted("Discord webhook", letters(68), (each) => `https://discord.com/api/webhooks/${digits(18)}/${each}`),
  planted("Discord bot token", `M${letters(23)}.${letters(6)}.${letters(38)}`),
  planted("Telegram bot token", `${digits(10)}:AA${letters(33)}`),
  planted("Stripe live key", `sk_live_${letters(24)}`),
  planted("Stripe restricted key", `rk_live_${letters(24)}`),
  planted("Stripe webhook secret", `whsec_${letters(32)}`),
  planted("Twilio key", `SK${hex(32)}`),
  planted("SendGrid key", `SG.${letters(22)}.${letters(43)}`),
  planted("Mailgun key", `key-${hex(32)}`),
  planted("Shopify token", `shpat_${hex(32)}`),
  planted("Square token", `EAAA${letters(60)}`),
  planted("DigitalOcean token", `dop_v1_${hex(64)}`),
  planted(
    "Heroku key",
    `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
    (each) => `HEROKU_API_KEY=${each}`,
  ),
  planted("Vault token", `hvs.${letters(90)}`),
  planted("Terraform Cloud token", `${letters(14)}.atlasv1.${letters(64)}`),
  planted("Databricks token", `dapi${hex(32)}`),
  planted("New Relic key", `NRAK-${capitals(27)}`),
  planted("Grafana token", `glsa_${letters(32)}_${hex(8)}`),
  planted("Linear key", `lin_api_${letters(40)}`),
  planted("Notion token", `ntn_${letters(46)}`),
  planted("Figma token", `figd_${letters(40)}`),
  planted("Supabase key", `sbp_${hex(40)}`),
  planted("PlanetScale password", `pscale_pw_${letters(43)}`),
  planted("age key", `AGE-SECRET-KEY-1${capitals(58)}`),
  planted("JSON web token", `eyJ${letters(33)}.eyJ${letters(60)}.${letters(43)}`),
  planted(
    "private key",
    letters(64),
    (each) => `-----BEGIN RSA PRIVATE KEY-----\n${each}\n-----END RSA PRIVATE KEY-----`,
  ),
  planted("OpenSSH key", letters(70), (each) => `-----BEGIN OPENSSH PRIVATE KEY-----\n${each}`),
  planted(
    "bearer header",
    letters(30),
    (each) => `curl -H "Authorization: Bearer ${each}" https://api.shop.test`,
  ),
  planted("basic header", letters(24), (each) => `curl -H 'Authorization: Basic ${each}' https://shop.test`),
  planted("API key header", letters(24), (each) => `curl -H "X-Api-Key: ${each}" https://shop.test`),
  planted("user and password of curl", `ann:${letters(14)}`, (each) => `curl -u ${each} https://shop.test`),
  planted("database URL", letters(16), (each) => `psql postgres://ann:${each}@db.shop.test/shop`),
  planted("password of mysql", letters(14), (each) => `mysql -uroot -p${each} shop`),
  planted("password variable", letters(12), (each) => `DB_PASSWORD=${each} npm start`),
  planted("password in JSON", letters(12), (each) => `{"password": "${each}"}`),
  planted("token option", letters(20), (each) => `vsce publish --token ${each}`),
  planted("key in an address", letters(24), (each) => `curl "https://shop.test/v1?api_key=${each}&page=2"`),
  planted("cookie", letters(40), (each) => `Cookie: session=${each}`),
  planted("npmrc", letters(36), (each) => `//registry.test/:_authToken=${each}`),
  planted("netrc", letters(12), (each) => `machine shop.test login ann password ${each}`),
  planted("secret with an invisible letter", `ghp_\u200B${letters(36)}`),
];

/** The part that must be nowhere: of a secret with an invisible letter, what is left without it. */
export function visible({ secret }: PlantedSecret): string {
  return secret.replaceAll("\u200B", "");
}
