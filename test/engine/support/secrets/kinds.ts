export const letters = "Zk3vQ9xLm2Rt7WpB5nYc8HdJ4sFg6TaE1uVi0oXq";
const [r24, r40, hex] = [letters.slice(0, 24), letters, "9f86d081884c7d659a2feaa0c55ad015"];
/** Each kind as it is written, and the part that must not stay. */
export const secretKinds: readonly (readonly [string, string])[] = [
  ...`sk-ant-api03- sk-proj- sk_live_ rk_live_ ghp_ gho_ github_pat_ glpat- glrt- npm_ hf_ gsk_ 
xai- pplx- r8_ tvly- nvapi- pypi- rubygems_ dckr_pat_ whsec_ GOCSPX- shpat_ dop_v1_ glsa_ 
lin_api_ ntn_ figd_ sbp_ NRAK- PMAK- HRKU- ATATT3 ATBB sq0atp- xkeysib- sntrys_ tskey- 
phx_ nfp_ CFPAT- LTAI sqp_ pul- xoxb- xapp- SG. hvs. ya29. AGE-SECRET-KEY-1`
    .split(/\s+/u)
    .map((beginning): readonly [string, string] => [beginning + r24, r24]),
  ["AKIAIOSFODNN7EXAMPLE", "IOSFODNN7"],
  [`AIza${r40}`, r40],
  [`123456789:AA${r40}`, r40],
  [`https://api.telegram.org/bot123456789:AA${r40}/getMe`, r40],
  [`MTk4${letters.slice(0, 20)}.Gx8kQ1.${letters.slice(0, 38)}`, letters.slice(0, 20)],
  ["sshpass -p hunter2x ssh db", "hunter2x"],
  ["sshpass -phunter2x ssh db", "hunter2x"],
  ["docker login -u bob -p hunter2x", "hunter2x"],
  ["redis-cli -h db -a hunter2x ping", "hunter2x"],
  ["curl -u bob:hunter2x x.test", "hunter2x"],
  ["mysql -uroot -phunter2x shop", "hunter2x"],
  ["login --password hunter2x", "hunter2x"],
  ["keytool -storepass hunter2x", "hunter2x"],
  ["DB_PASS=hunter2x", "hunter2x"],
  ["SECRET_KEY_BASE=hunter2x", "hunter2x"],
  ["Server=db;User Id=sa;Pwd=hunter2x;", "hunter2x"],
  ["AccountName=a;AccountKey=hunter2x==;", "hunter2x"],
  ["https://a.blob.core.windows.net/c?sv=2024&sig=hunter2x%3D", "hunter2x"],
  ["postgres://bob:hunter2x@db/shop", "hunter2x"],
  ["redis://:hunter2x@db", "hunter2x"],
  [`https://${r24}@git.example.com/a`, r24],
  [`https://hooks.slack.com/services/T0AB/B0CD/${r24}`, r24],
  [`https://discord.com/api/webhooks/123456/${r24}`, r24],
  ["Cookie: sid=hunter2x; a=b", "hunter2x"],
  ["Authorization: Bearer hunter2x", "hunter2x"],
  ["Authorization: Splunk hunter2x", "hunter2x"],
  ["Bearer hunter2x", "hunter2x"],
  ["Basic ZGV2Omh1bnRlcjI=", "ZGV2Omh1bnRlcjI"],
  ["//registry.npmjs.org/:_authToken=hunter2x", "hunter2x"],
  ['{"auths":{"r":{"auth":"ZGV2Omh1bnRlcjI="}}}', "ZGV2Omh1bnRlcjI"],
  ['{\\"apiKey\\": \\"hunter2x\\"}', "hunter2x"],
  [`TWILIO_AUTH_TOKEN=${hex}`, hex],
  [`${hex}-us12`, hex],
  ["my password is hunter2x", "hunter2x"],
  ["パスワードは hunter2x", "hunter2x"],
  ["密码：hunter2x", "hunter2x"],
  ["seed phrase: " + "able acid aged also arch army aunt away baby back ball band", "aunt away baby"],
];
