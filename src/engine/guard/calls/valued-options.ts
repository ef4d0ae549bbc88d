/** Options of programs that take the next word as their value, so that it is no operand. */
const listed: Readonly<Record<string, string>> = {
  "ssh-keygen": "-t -b -f -N -C -P -E -m -O -I -n -V -s -Y",
  git: "-C -c --git-dir --work-tree --namespace --exec-path -m --message -F --file --author --date --format --since --until --after --before -n --max-count --depth -b -B -S -G --grep -u --strategy -X -s --onto --exec -x --receive-pack -o --push-option -t --track",
  gh: "-R --repo -t --title -b --body -F --body-file -H --header -X --method -f --raw-field --field -q --jq --hostname -B --base -l --label",
  docker: "-H --host -c --context --config -l --log-level --filter --format",
  "docker compose":
    "-f --file -p --project-name --profile --env-file --project-directory --ansi --progress -t --timeout --rmi",
  "docker build": "-f --file -t --tag --build-arg --target --platform --output -o --progress --secret --ssh",
  "docker run":
    "-e --env -u --user -w --workdir --env-file --name -v --volume -p --publish --network --net --entrypoint --mount --platform --pid --ipc --userns --device --cap-add --security-opt --restart",
  "docker create":
    "-e --env -u --user --name -v --volume --mount --pid --ipc --device --cap-add --security-opt",
  "docker-compose": "-f --file -p --project-name --profile --env-file --project-directory -t --timeout --rmi",
  podman: "--filter --format --url --connection -c",
  "podman build": "-f --file -t --tag --build-arg --target",
  "podman run":
    "-e --env -u --user --name -v --volume --network --mount --pid --device --cap-add --security-opt",
  nerdctl: "-n --namespace --address -a --host -H --filter --format",
  "nerdctl run": "-v --volume --mount --pid --device --cap-add --security-opt --name",
  kubectl:
    "-n --namespace --context --cluster --user --kubeconfig -s --server --token -l --selector -o --output -f --filename -k --kustomize -c --container --field-selector --grace-period --timeout -p --patch --as --as-group --type --replicas --raw -v --cascade --clusterrole --serviceaccount --group --role",
  oc: "-n --namespace --context --kubeconfig -s --server --token -l --selector -o --output -f --filename -c --container",
  helm: "-n --namespace --kube-context --kubeconfig -f --values --set --set-string --version --timeout --repo",
  helmfile: "-e --environment -f --file -l --selector -n --namespace --kube-context",
  etcdctl: "--endpoints --cacert --cert --key --user --command-timeout",
  aws: "--profile --region --output --endpoint-url --query --cli-input-json --bucket --key --exclude --include --acl --ca-bundle --cli-read-timeout --cli-connect-timeout --color",
  "aws s3":
    "--acl --grants --sse --storage-class --cache-control --content-type --page-size --source-region --metadata",
  eksctl: "--name --region --profile --cluster -f --config-file",
  gcloud:
    "--project --zone --region --account --format --filter --configuration --member --role --impersonate-service-account --verbosity --source-ranges --authorized-networks --location --billing-project",
  gsutil: "-h -o -u -i",
  bq: "--project_id --location --dataset_id --format",
  az: "-g --resource-group -n --name --subscription -o --output --query -l --location --ids --vault-name --account-name --container-name -c --source -s --pattern --auth-mode --namespace --scope",
  doctl: "-t --access-token --context -c --config -o --output --format --interval -u --api-url",
  flyctl: "-a --app -c --config -t --access-token",
  fly: "-a --app -c --config -t --access-token",
  heroku: "-a --app -r --remote -t --team -c --confirm",
  vercel: "-t --token -S --scope --cwd -A --local-config -Q --global-config",
  netlify: "--auth --site -s --filter -d --dir",
  wrangler: "-c --config --env -e --cwd --env-file --command --file --name --namespace-id --binding",
  firebase: "-P --project --account --token -c --config",
  supabase: "--workdir --profile --project-ref --db-url -p --password",
  terraform:
    "-chdir -var -var-file -target -state -state-out -out -backend-config -lock-timeout -parallelism -replace",
  tofu: "-chdir -var -var-file -target -state -out -backend-config",
  pulumi: "-s --stack -C --cwd -t --target -m --message --config-file -c --config -p --parallel --color",
  ansible:
    "-m --module-name -a --args -i --inventory -u --user -l --limit -e --extra-vars -f --forks --become-user",
  "ansible-playbook":
    "-i --inventory -u --user -l --limit -e --extra-vars -f --forks -t --tags --skip-tags --become-user",
  npm: "--prefix -w --workspace --registry --tag --otp --loglevel --access --userconfig",
  pnpm: "-C --dir --filter -F --registry --tag --otp",
  yarn: "--cwd --registry --tag --otp",
  pip: "-r --requirement -c --constraint -i --index-url --extra-index-url -t --target --proxy --cert",
  cargo:
    "--manifest-path --target-dir --registry --token -p --package --features --target --color -Z --config -C",
  psql: "-h --host -p --port -U --username -d --dbname -c --command -f --file -v --set --variable -o --output -L --log-file -F --field-separator -R --record-separator -P --pset -T --table-attr",
  pg_restore:
    "-h --host -p --port -U --username -d --dbname -f --file -F --format -j --jobs -n --schema -t --table",
  dropdb: "-h --host -p --port -U --username --maintenance-db",
  mysql: "-h --host -P --port -u --user -D --database -e --execute -S --socket --defaults-file --protocol",
  mariadb: "-h --host -P --port -u --user -D --database -e --execute -S --socket --protocol",
  mysqladmin: "-h --host -P --port -u --user -S --socket",
  "mariadb-admin": "-h --host -P --port -u --user -S --socket",
  sqlite3: "-cmd -init -separator -newline -nullvalue -maxsize -vfs",
  duckdb: "-c -cmd -init -separator",
  sqlcmd: "-S -U -P -d -Q -q -i -o -v -t -l",
  "clickhouse-client": "-q --query -h --host --port -u --user --password -d --database --queries-file",
  clickhouse: "-q --query -h --host --port -u --user --password -d --database",
  cqlsh: "-e --execute -f --file -k --keyspace -u --username -p --password --cqlshrc",
  snowsql:
    "-q --query -a --accountname -u --username -d --dbname -s --schemaname -f --filename -c --connection",
  influx:
    "-execute -database -host -port -username -password -b --bucket -o --org -t --token --host --start --stop -p --predicate -i --id -n --name",
  mongosh: "--host --port -u --username -p --password --eval --file -f --authenticationDatabase",
  mongo: "--host --port -u --username -p --password --eval --authenticationDatabase",
  mongorestore: "--host --port -u --username -p --password --uri -d --db -c --collection --nsInclude",
  "redis-cli": "-h -p -a -u -n -s -r -i -d --user --pass --cacert --cert --key",
  rabbitmqctl: "-n --node -t --timeout -p --vhost",
  rabbitmqadmin: "-H --host -P --port -u --username -p --password -V --vhost",
  "kafka-topics": "--bootstrap-server --zookeeper --topic --command-config --partitions --config",
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
  vault: "-address -namespace -field -format -mount -version -versions -header -ca-cert",
  consul: "-http-addr -token -token-file -datacenter -namespace -id -name",
  nomad: "-address -region -namespace -token -filter",
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

/**
 * Returns the options of a program that take the next word as their value.
 * @param word its first operand, with which it may have others
 */
export function valuedOptions(program: string, word?: string): ReadonlySet<string> {
  const name = `${program} ${word ?? ""}`;
  return word !== undefined && Object.hasOwn(listed, name) ? optionsOf(name, program) : optionsOf(program);
}

function optionsOf(name: string, program = name): ReadonlySet<string> {
  const known = split.get(name);
  if (known !== undefined) return known;
  if (!Object.hasOwn(listed, name)) return none;
  const more = program === name ? [] : optionsOf(program);
  const options = new Set([...(listed[name]?.split(" ") ?? []), ...more]);
  split.set(name, options);
  return options;
}

const none: ReadonlySet<string> = new Set();
