/** Options of programs that take the next word as their value, so that it is no operand. */
const listed: Readonly<Record<string, string>> = {
  "ssh-keygen": "-t -b -f -N -C -P -E -m -O -I -n -V -s -Y",
  git: "-C -c --git-dir --work-tree --namespace --exec-path -m --message -F --file --author --date --format --since --until --after --before -n --max-count --depth -b -B -S -G --grep -u --strategy -X -s --onto --exec -x --receive-pack -o --push-option -t --track",
  gh: "-R --repo -t --title -b --body -F --body-file -H --header -X --method -f --raw-field --field -q --jq --hostname -B --base -l --label",
  docker:
    "-H --host -c --context --config -l --log-level --filter -f --file -p --project-name --format -t --tag -n",
  podman: "--filter -f --file --format -t --tag --url --connection",
  kubectl:
    "-n --namespace --context --cluster --kubeconfig -l --selector -o --output -f --filename -c --container --field-selector --grace-period --timeout -p --patch --as",
  helm: "-n --namespace --kube-context --kubeconfig -f --values --set --version --timeout",
  aws: "--profile --region --output --endpoint-url --query --cli-input-json --bucket --key --exclude --include",
  gcloud: "--project --zone --region --account --format --filter --configuration",
  gsutil: "-h -o -u -i",
  az: "-g --resource-group -n --name --subscription -o --output --query -l --location --ids",
  terraform: "-chdir -var -var-file -target -state -out -backend-config -lock-timeout -parallelism",
  tofu: "-chdir -var -var-file -target -state -out -backend-config",
  pulumi: "-s --stack -C --cwd -t --target -m --message",
  npm: "--prefix -w --workspace --registry --tag --otp --loglevel --access --userconfig",
  pnpm: "-C --dir --filter -F --registry --tag --otp",
  yarn: "--cwd --registry --tag --otp",
  pip: "-r --requirement -c --constraint -i --index-url --extra-index-url -t --target --proxy --cert",
  cargo:
    "--manifest-path --target-dir --registry --token -p --package --features --target --color -Z --config -C",
  psql: "-h --host -p --port -U --username -d --dbname -c --command -f --file -v --set -o",
  mysql: "-h --host -P --port -u --user -D --database -e --execute --socket",
  sqlite3: "-cmd -init -separator -newline",
  mongosh: "--host --port -u --username --eval --file",
  "redis-cli": "-h -p -a -u -n --user --pass",
  curl: "-X --request -H --header -d --data --data-raw --data-binary --data-urlencode -F --form -o --output -u --user -A --user-agent -e --referer -b --cookie -c --cookie-jar -m --max-time --connect-timeout -T --upload-file -w --write-out -x --proxy --retry -E --cert --cacert --key -K --config --resolve -r --range -C -Y -y -z -P -Q -t -D --dump-header",
  wget: "-O --output-document -P --directory-prefix --header --post-data --post-file -U --user-agent --user --password -t --tries -T --timeout -o -a -i -e -l -A -R -D -I -X -Q -w --body-file --body-data --method",
  tar: "-f --file -C --directory -T -X --exclude -b",
  rsync:
    "-e --rsh --exclude --include --filter -f --exclude-from --include-from --files-from --password-file --port --bwlimit --log-file -T --temp-dir --rsync-path --chown --chmod",
  scp: "-c -F -i -J -l -o -P -S -D -X",
  head: "-n --lines -c --bytes",
  tail: "-n --lines -c --bytes -s --pid",
  sed: "-e --expression -f --file -l",
  grep: "-e --regexp -f --file -m --max-count -A -B -C --include --exclude --exclude-dir --color",
  rg: "-e --regexp -f --file -g --glob -t --type -T --type-not -m --max-count -A -B -C -r --replace --iglob -j -M --sort -d --max-depth",
  chmod: "--reference",
  chown: "--reference --from",
  kill: "-s -n",
  pkill: "-s -u -U -g -G -P -t",
  crontab: "-u",
  useradd: "-u -g -G -d -s -c -p",
  usermod: "-u -g -G -d -s -c -p -l",
  shred: "-n --iterations -s --size",
  mkfs: "-t --type",
  systemctl: "-H --host -M --machine -t --type -n --lines -o --output -p --property",
  vault: "-address -namespace -field -format",
  nc: "-e -c -p -s -w -q -X -x",
  openssl: "-in -out -connect -key -keyout -inkey -passin -passout -subj -days -newkey -CAfile -cert",
  dotnet: "-c --configuration -f --framework -s --source -k --api-key",
  mvn: "-f --file -pl -s -P",
  jq: "--arg --argjson --slurpfile -f --from-file --indent",
  ls: "-I --ignore -w --width --time-style --sort",
  tree: "-L -I -P -o --filelimit",
  "remove-item": "-Path -LiteralPath -Include -Exclude -Filter -ErrorAction -Stream",
};

const split = new Map<string, ReadonlySet<string>>();

/** Returns the options of a program that take the next word as their value. */
export function valuedOptions(program: string): ReadonlySet<string> {
  const known = split.get(program);
  if (known !== undefined) return known;
  const options = new Set(Object.hasOwn(listed, program) ? listed[program]?.split(" ") : []);
  if (Object.hasOwn(listed, program)) split.set(program, options);
  return options;
}
