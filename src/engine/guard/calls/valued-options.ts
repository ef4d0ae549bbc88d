import { ownValue } from "../own-value.ts";

/** Options of programs that take the next word as their value. */
const listed: Readonly<Record<string, string>> = {
  ansible:
    "-m --module-name -a --args -i --inventory -u --user -l --limit -e --extra-vars -f --forks --become-user",
  "ansible-playbook":
    "-i --inventory -u --user -l --limit -e --extra-vars -f --forks -t --tags --skip-tags --become-user",
  argocd: "--sync-policy --project --server --auth-token --revision",
  apt: "-t --target-release -o --option -c --config-file -a --host-architecture",
  "apt-get": "-t --target-release -o --option -c --config-file -a --host-architecture",
  awk: "-F -v -f --field-separator --assign --file",
  aws: "--profile --region --output --endpoint-url --query --cli-input-json --bucket --key --exclude --include --acl --ca-bundle --cli-read-timeout --cli-connect-timeout --color",
  "aws s3":
    "--acl --grants --sse --storage-class --cache-control --content-type --page-size --source-region --metadata",
  "az storage": "-f --file",
  az: "-g --resource-group -n --name --subscription -o --output --query -l --location --ids --vault-name --account-name --container-name -c --source -s --pattern --auth-mode --namespace --scope",
  base64: "-w --wrap -i -o -b",
  bat: "-r --line-range -l --language -H --highlight-line --style --theme --file-name --paging",
  batcat: "-r --line-range -l --language -H --highlight-line --style --theme --paging",
  bq: "--project_id --location --dataset_id --format",
  bun: "--cwd --filter --registry --tag --otp --access --config -c",
  cargo:
    "--manifest-path --target-dir --registry --index --token -p --package --features -F --target --color -Z --config -C --vers --version --git --branch --tag --rev --path --root -j --jobs",
  "cargo owner": "-a --add -r --remove",
  cf: "-i -k -m -s -o -f -c -p -b -n --hostname",
  chmod: "--reference",
  chown: "--reference --from",
  claude:
    "--permission-mode --model --allowedTools --allowed-tools --disallowedTools --output-format --append-system-prompt --mcp-config --settings --add-dir -r --resume",
  clickhouse: "-q --query -h --host --port -u --user --password -d --database",
  "clickhouse-client": "-q --query -h --host --port -u --user --password -d --database --queries-file",
  code: "--install-extension --uninstall-extension --user-data-dir --extensions-dir --profile",
  conda: "-n --name -p --prefix -c --channel -f --file",
  consul: "-http-addr -token -token-file -datacenter -namespace -id -name",
  "copy-item": "-Path -LiteralPath -Destination -Filter",
  cp: "-t --target-directory -S --suffix",
  cpio: "-D --directory -F -I -O -E -H --format",
  cqlsh: "-e --execute -f --file -k --keyspace -u --username -p --password --cqlshrc",
  crontab: "-u",
  curl: "-X --request -H --header -d --data --data-raw --data-binary --data-urlencode -F --form -o --output -u --user -A --user-agent -e --referer -b --cookie -c --cookie-jar -m --max-time --connect-timeout -T --upload-file -w --write-out -x --proxy --retry -E --cert --cacert --key -K --config --resolve -r --range -C -Y -y -z -P -Q -t -D --dump-header --json --url-query --data-ascii --form-string",
  cut: "-d --delimiter -f --fields -c --characters -b --bytes --output-delimiter",
  dmesg: "-l --level -f --facility -n --since --until",
  dnf: "-c --config --releasever --installroot -x --exclude --enablerepo --disablerepo --repo --setopt",
  docker: "-H --host -c --context --config -l --log-level --filter --format",
  "docker build": "-f --file -t --tag --build-arg --target --platform --output -o --progress --secret --ssh",
  "docker compose":
    "-f --file -p --project-name --profile --env-file --project-directory --ansi --progress -t --timeout --rmi -v --volume",
  "docker create":
    "-e --env -u --user --name -v --volume --mount --pid --ipc --device --cap-add --security-opt",
  "docker login": "-u --username -p --password",
  "podman login": "-u --username -p --password",
  "nerdctl login": "-u --username -p --password",
  "helm registry": "-u --username -p --password",
  oras: "-u --username -p --password",
  "docker node": "--availability --role --label-add --label-rm",
  "docker run":
    "-e --env -u --user -w --workdir --env-file --name -v --volume -p --publish --network --net --entrypoint --mount --platform --pid --ipc --userns --device --cap-add --security-opt --restart",
  "docker-compose": "-f --file -p --project-name --profile --env-file --project-directory -t --timeout --rmi",
  doctl: "-t --access-token --context -c --config -o --output --format --interval -u --api-url",
  dotnet: "-c --configuration -f --framework -s --source -k --api-key",
  dropdb: "-h --host -p --port -U --username --maintenance-db",
  du: "-d --max-depth -t --threshold --exclude -B --block-size",
  duckdb: "-c -cmd -init -separator",
  eksctl: "--name --region --profile --cluster -f --config-file",
  etcdctl: "--endpoints --cacert --cert --key --user --command-timeout",
  fd: "-e --extension -d --max-depth -t --type -E --exclude -g --glob -x --exec -j --threads -S --size -o --owner",
  find: "-name -iname -path -ipath -wholename -regex -iregex -type -maxdepth -mindepth -size -mtime -mmin -newer -perm -user -group -printf -fprint -links -atime -ctime -cmin -amin -fstype",
  firebase: "-P --project --account --token -c --config",
  fly: "-a --app -c --config -t --access-token",
  flyctl: "-a --app -c --config -t --access-token",
  gcloud:
    "--project --zone --region --account --format --filter --configuration --member --role --impersonate-service-account --verbosity --source-ranges --authorized-networks --location --billing-project",
  gem: "-v --version -s --source -k --key --otp --platform -i --install-dir -n --bindir --host",
  "gem owner": "-a --add -r --remove",
  "get-childitem": "-Path -LiteralPath -Filter -Include -Exclude -Depth -ErrorAction",
  "get-content": "-Path -LiteralPath -Tail -TotalCount -Encoding -First -Last",
  gh: "-R --repo -t --title -b --body -F --body-file -H --header -X --method -f --raw-field --field -q --jq --hostname -B --base -l --label",
  "gh auth": "-s --scopes -h --hostname -u --user -p --git-protocol",
  "gh cache": "-k --key -r --ref -L --limit -S --sort -O --order",
  "gh gist": "-d --desc -f --filename",
  "gh release": "-t --title -n --notes --notes-file --target -F --discussion-category",
  "gh repo":
    "-d --description -h --homepage -g --gitignore -l --license -r --remote -s --source -t --team -p --template --visibility -b --branch --add-topic --remove-topic --default-branch",
  git: "-C -c --git-dir --work-tree --namespace --exec-path --config-env",
  "git add": "--chmod --pathspec-from-file",
  "git branch": "-u --set-upstream-to --sort --points-at --format",
  "git checkout": "-b -B --orphan --conflict --pathspec-from-file",
  "git clean": "-e --exclude",
  "git clone":
    "-o --origin -b --branch -u --upload-pack --reference --separate-git-dir --depth -j --jobs --template --filter --config",
  "git commit":
    "-m --message -F --file -C -c -t --template --author --date --fixup --squash --reuse-message --reedit-message --cleanup --trailer --pathspec-from-file",
  "git config": "-f --file --blob --type --default",
  "git fetch": "-o --server-option --depth --deepen --upload-pack -j --jobs --refmap --negotiation-tip",
  "git filter-branch":
    "--setup --subdirectory-filter --env-filter --tree-filter --index-filter --parent-filter --msg-filter --commit-filter --tag-name-filter --original -d --state-branch",
  "git filter-repo":
    "--path --path-glob --path-regex --path-rename --paths-from-file --subdirectory-filter --to-subdirectory-filter --replace-text --replace-message --mailmap --refs --source --target --strip-blobs-bigger-than",
  "git gc": "--max-cache-size",
  "git log":
    "-n --max-count --skip --since --after --until --before --author --committer --grep -S -G -L --format",
  "git merge": "-m -F --file -s --strategy -X --strategy-option --cleanup",
  "git pull": "-s --strategy -X --strategy-option --depth -o --server-option --upload-pack",
  "git push": "-o --push-option --repo --receive-pack --exec",
  "git rebase": "-s --strategy -X --strategy-option -x --exec --onto",
  "git reflog": "--expire --expire-unreachable",
  "git remote": "-t -m",
  "git reset": "--pathspec-from-file",
  "git restore": "-s --source --conflict --pathspec-from-file",
  "git rm": "--pathspec-from-file",
  "git stash": "-m --message --pathspec-from-file",
  "git submodule": "-b --branch --name --reference --depth -j --jobs",
  "git switch": "-c -C --create --force-create --orphan --conflict",
  "git tag": "-m --message -F --file -u --local-user --sort --points-at --format",
  "git update-ref": "-m",
  "git worktree": "-b -B --reason --expire",
  glab: "-R --repo -t --title -d --description -l --label -X --method -F --field -f --raw-field -H --header --hostname -g --group -b --branch -a --assignee -n --name --visibility -V -s --scope",
  gpg: "-o --output -r --recipient -u --local-user --homedir --keyserver --passphrase --passphrase-file --batch-size --pinentry-mode",
  grep: "-e --regexp -f --file -m --max-count -A -B -C --include --exclude --exclude-dir --color",
  gsutil: "-h -o -u -i",
  head: "-n --lines -c --bytes",
  helm: "-n --namespace --kube-context --kubeconfig -f --values --set --set-string --version --timeout --repo",
  helmfile: "-e --environment -f --file -l --selector -n --namespace --kube-context",
  heroku: "-a --app -r --remote -t --team -c --confirm",
  hg: "-R --repository --cwd --config --encoding -r --rev -m --message -l --logfile -d --date -u --user -b --branch -B --bookmark -I --include -X --exclude",
  http: "-a --auth -o --output -A --auth-type --session --form-file",
  influx:
    "-execute -database -host -port -username -password -b --bucket -o --org -t --token --host --start --stop -p --predicate -i --id -n --name",
  install: "-t --target-directory -m --mode -o --owner -g --group -S --suffix",
  "invoke-restmethod": "-Uri -OutFile -Method -Body -Headers -InFile -ContentType",
  "invoke-webrequest": "-Uri -OutFile -Method -Body -Headers -InFile -ContentType -UserAgent",
  jj: "-R --repository --at-op --config -r --revisions -m --message -b --bookmark -f --from -t --to --into -s --source -d --destination --remote",
  journalctl:
    "-u --unit -n --lines -S --since -U --until -p --priority -o --output -t --identifier -g --grep -b -D --directory --file -M --machine -F --field",
  jq: "--arg --argjson --slurpfile -f --from-file --indent",
  "kafka-topics": "--bootstrap-server --zookeeper --topic --command-config --partitions --config",
  kill: "-s -n",
  kubectl:
    "-n --namespace --context --cluster --user --kubeconfig -s --server --token -l --selector -o --output -f --filename -k --kustomize -c --container --field-selector --grace-period --timeout -p --patch --as --as-group --type --replicas --raw -v --cascade --clusterrole --serviceaccount --group --role",
  ln: "-t --target-directory -S --suffix",
  ls: "-I --ignore -w --width --time-style --sort",
  mail: "-s -a -A -c -b -r -S",
  mariadb: "-h --host -P --port -u --user -D --database -e --execute -S --socket --protocol",
  "mariadb-admin": "-h --host -P --port -u --user -S --socket",
  "mariadb-dump": "-u --user -h --host -P --port -S --socket -r --result-file -w --where",
  mix: "--organization",
  mkfs: "-t --type",
  mongo: "--host --port -u --username -p --password --eval --authenticationDatabase",
  mongorestore: "--host --port -u --username -p --password --uri -d --db -c --collection --nsInclude",
  mongosh: "--host --port -u --username -p --password --eval --file -f --authenticationDatabase",
  "move-item": "-Path -LiteralPath -Destination",
  mutt: "-s -a -c -b -e -F -i",
  mv: "-t --target-directory -S --suffix",
  mvn: "-f --file -pl -s -P",
  mysql: "-h --host -P --port -u --user -D --database -e --execute -S --socket --defaults-file --protocol",
  mysqladmin: "-h --host -P --port -u --user -S --socket",
  mysqldump: "-u --user -h --host -P --port -S --socket -r --result-file -w --where",
  nc: "-e -c -p -s -w -q -X -x",
  nerdctl: "-n --namespace --address -a --host -H --filter --format",
  "nerdctl run": "-v --volume --mount --pid --device --cap-add --security-opt --name",
  netlify: "--auth --site -s --filter -d --dir",
  nginx: "-s -c -p -g -e",
  nomad: "-address -region -namespace -token -filter",
  npm: "--prefix -C -w --workspace --registry --tag --otp --loglevel --access --userconfig -m --message --cache --scope",
  oc: "-n --namespace --context --kubeconfig -s --server --token -l --selector -o --output -f --filename -c --container",
  od: "-A -j -N -t -w",
  openssl: "-in -out -connect -key -keyout -inkey -passin -passout -subj -days -newkey -CAfile -cert",
  p4: "-p -u -P -c -C -d -H",
  pacman: "-b --dbpath -r --root --config --cachedir --arch --overwrite --ignore --color",
  pg_restore:
    "-h --host -p --port -U --username -d --dbname -f --file -F --format -j --jobs -n --schema -t --table",
  pip: "-r --requirement -c --constraint -i --index-url --extra-index-url -f --find-links --trusted-host -t --target --prefix --root --proxy --cert --client-cert --cache-dir --timeout --retries --python",
  pip3: "-r --requirement -c --constraint -i --index-url --extra-index-url -f --find-links --trusted-host -t --target --prefix --root --proxy --cert --client-cert --cache-dir --timeout --retries --python",
  pkill: "-s -u -U -g -G -P -t",
  pnpm: "-C --dir --filter -F --registry --tag --otp --access --store-dir",
  podman: "--filter --format --url --connection -c",
  "podman build": "-f --file -t --tag --build-arg --target",
  "podman run":
    "-e --env -u --user --name -v --volume --network --mount --pid --device --cap-add --security-opt",
  poetry:
    "-C --directory -P --project -r --repository -u --username -p --password -G --group --cert --client-cert",
  ps: "-o -p -u -U -C -t -g -G --sort --format --pid --ppid --user",
  "podman-compose": "-f --file -p --project-name --profile --env-file -t --timeout",
  "podman compose": "-f --file -p --project-name --profile --env-file -t --timeout",
  "nerdctl compose": "-f --file -p --project-name --profile --env-file -t --timeout",
  psql: "-h --host -p --port -U --username -d --dbname -c --command -f --file -v --set --variable -o --output -L --log-file -F --field-separator -R --record-separator -P --pset -T --table-attr",
  pulumi: "-s --stack -C --cwd -t --target -m --message --config-file -c --config -p --parallel --color",
  python: "-m -c -W -X -d --directory",
  python3: "-m -c -W -X -d --directory",
  rabbitmqadmin: "-H --host -P --port -u --username -p --password -V --vhost",
  rabbitmqctl: "-n --node -t --timeout -p --vhost",
  "redis-cli": "-h -p -a -u -n -s -r -i -d --user --pass --cacert --cert --key",
  "remove-item": "-Path -LiteralPath -Include -Exclude -Filter -ErrorAction -Stream",
  restic:
    "-r --repo --repository-file -p --password-file --password-command --cache-dir --tag --host -H --path --keep-last --keep-daily --keep-weekly --keep-monthly --keep-yearly --keep-within -o --option",
  rg: "-e --regexp -f --file -g --glob -t --type -T --type-not -m --max-count -A -B -C -r --replace --iglob -j -M --sort -d --max-depth",
  rsync:
    "-e --rsh --exclude --include --filter -f --exclude-from --include-from --files-from --password-file --port --bwlimit --log-file -T --temp-dir --rsync-path --chown --chmod",
  schtasks: "/tn /tr /sc /ru /rp /st",
  scp: "-c -F -i -J -l -o -P -S -D -X",
  sed: "-e --expression -f --file -l",
  "set-content": "-Path -LiteralPath -Value -Encoding -Filter",
  sequelize: "--env --config --url --options-path --migrations-path --seeders-path",
  "sequelize-cli": "--env --config --url --options-path --migrations-path --seeders-path",
  shred: "-n --iterations -s --size",
  snowsql:
    "-q --query -a --accountname -u --username -d --dbname -s --schemaname -f --filename -c --connection",
  socat: "-d -T -t -b",
  sort: "-k --key -t --field-separator -o --output -S -T --parallel",
  sqlcmd: "-S -U -P -d -Q -q -i -o -v -t -l",
  sqlite3: "-cmd -init -separator -newline -nullvalue -maxsize -vfs",
  ssh: "-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w",
  "ssh-keygen": "-t -b -f -N -C -P -E -m -O -I -n -V -s -Y -R -F -D",
  "start-bitstransfer": "-Source -Destination -TransferType -Credential -Priority -DisplayName",
  "send-mailmessage": "-To -From -Attachments -SmtpServer -Subject -Body",
  sshpass: "-p -f -d -P",
  strings: "-n --bytes -t -e",
  supabase: "--workdir --profile --project-ref --db-url -p --password",
  svn: "-m --message -F --file -r --revision --username --password --config-dir --config-option --depth --cl --changelist",
  swaks: "--to --from --server --attach --body --header -t -f -s",
  systemctl: "-H --host -M --machine -t --type -n --lines -o --output -p --property",
  tail: "-n --lines -c --bytes -s --pid",
  bsdtar: "-f --file -C --directory --cd -T -X --exclude -b",
  tar: "-f --file -C --directory -T -X --exclude -b",
  tcpdump: "-i -c -w -r -s -G -W -n -C",
  terraform:
    "-chdir -var -var-file -target -state -state-out -out -backend-config -lock-timeout -parallelism -replace",
  tofu: "-chdir -var -var-file -target -state -out -backend-config",
  tree: "-L -I -P -o --filelimit",
  truncate: "-s --size -r --reference",
  tshark: "-i -c -a -b -w -r -f -Y -T -e -D",
  twine:
    "-r --repository --repository-url -u --username -p --password -c --comment -i --identity --config-file --cert",
  unzip: "-d -x -P -I -O",
  useradd: "-u -g -G -d -s -c -p",
  usermod: "-u -g -G -d -s -c -p -l",
  uv: "--directory --project --config-file -p --python --cache-dir -r --requirements --requirement -c --constraints --index --default-index -i --index-url --extra-index-url -f --find-links --publish-url --token -t -u --username --password --target --prefix --allow-insecure-host --with",
  vault: "-address -namespace -field -format -mount -version -versions -header -ca-cert",
  vercel: "-t --token -S --scope --cwd -A --local-config -Q --global-config",
  wget: "-O --output-document -P --directory-prefix --header --post-data --post-file -U --user-agent --user --password -t --tries -T --timeout -o -a -i -e -l -A -R -D -I -X -Q -w --body-file --body-data --method",
  wrangler: "-c --config --env -e --cwd --env-file --command --file --name --namespace-id --binding",
  xxd: "-l -len -s -seek -c -cols -g",
  yarn: "--cwd --registry --tag --otp --access --new-version",
  yum: "-c --config --releasever --installroot -x --exclude --enablerepo --disablerepo --setopt",
};

const split = new Map<string, ReadonlySet<string>>();

/**
 * Returns the options of a program that take the next word as their value.
 * @param word its first operand, which may change the options
 */
export function valuedOptions(program: string, word?: string): ReadonlySet<string> {
  if (word === undefined) return optionsOf(program);
  if (withWords.has(program)) {
    const name = `${program} ${word}`;
    if (Object.hasOwn(listed, name)) return optionsOf(name, program);
  }
  return firstOnly.has(program) ? none : optionsOf(program);
}

/** Programs with options that depend on their first operand. */
const withWords = new Set(Object.keys(listed).flatMap((name) => /^(.+) \S+$/u.exec(name)?.[1] ?? []));

function optionsOf(name: string, program = name): ReadonlySet<string> {
  const known = split.get(name);
  if (known !== undefined) return known;
  const own = ownValue(listed, name);
  if (own === undefined) return none;
  const more = program === name || firstOnly.has(program) ? [] : optionsOf(program);
  const options = new Set([...own.split(" "), ...more]);
  split.set(name, options);
  return options;
}

const none: ReadonlySet<string> = new Set();
/** Programs with their own options only before the command's word: after it, `-C` is another option. */
const firstOnly = new Set(["git"]);
