import type { GuardRule } from "../../calls/rule.ts";

const without = "--dryrun|--dry-run|--generate-cli-skeleton";
/** Ports that only an administrator or a program of the same network should reach. */
const innerPorts =
  "(?:22|23|135|445|1433|1521|2375|2379|3306|3389|5432|5900|5985|6379|6443|8086|9042|9092|9200|11211|15672|27017|-1|all|0-65535)";

/** Rules on who may do what at Amazon: keys, secrets, public access, protection and records. */
export const amazonAccessRules: readonly GuardRule[] = [
  {
    id: "aws-disable-protection",
    family: "safety",
    match: [
      {
        program: "aws",
        words:
          "rds modify-db-instance|rds modify-db-cluster|dynamodb update-table|elbv2 modify-load-balancer-attributes|cognito-idp update-user-pool|docdb modify-db-cluster|neptune modify-db-cluster",
        flags: ["--no-deletion-protection|--no-deletion-protection-enabled"],
      },
      {
        program: "aws",
        words: "cloudformation update-termination-protection",
        flags: ["--no-enable-termination-protection"],
      },
      { program: "aws", words: "ec2 modify-instance-attribute", flags: ["--no-disable-api-termination"] },
      {
        program: "aws",
        words: "elbv2 modify-load-balancer-attributes",
        text: "deletion_protection\\.enabled,Value=false",
      },
      {
        program: "aws",
        words: "rds modify-db-instance|rds modify-db-cluster",
        text: "--backup-retention-period[ =]0\\b",
      },
      { program: "aws", words: "s3api put-bucket-versioning", text: "Suspended" },
      {
        program: "aws",
        words: "dynamodb update-continuous-backups",
        text: "PointInTimeRecoveryEnabled[\"']?[=:]\\s*false",
      },
      {
        program: "aws",
        words:
          "backup delete-backup-vault-lock-configuration|backup delete-backup-vault-access-policy|s3api delete-bucket-encryption",
      },
    ],
    message: "This turns off what keeps the resource from being deleted or lost.",
    remedy: "Leave the protection on, and let a person turn it off where that is wanted.",
    fires: [
      "aws rds modify-db-instance --db-instance-identifier shop --no-deletion-protection --apply-immediately",
      "sudo aws s3api put-bucket-versioning --bucket shop --versioning-configuration Status=Suspended",
    ],
    passes: [
      "aws rds modify-db-instance --db-instance-identifier shop --deletion-protection",
      "aws s3api put-bucket-versioning --bucket shop --versioning-configuration Status=Enabled",
    ],
  },
  {
    id: "aws-disable-records",
    family: "safety",
    match: [
      {
        program: "aws",
        words:
          "cloudtrail stop-logging|cloudtrail delete-trail|guardduty delete-detector|configservice stop-configuration-recorder|configservice delete-configuration-recorder|securityhub disable-security-hub|logs delete-log-group|logs delete-log-stream|ec2 delete-flow-logs|macie2 disable-macie|accessanalyzer delete-analyzer|cloudwatch delete-alarms",
        without,
      },
    ],
    message: "What happens, or has happened, in the account can then no longer be seen.",
    remedy: "Set a retention with `aws logs put-retention-policy`, and leave the records on.",
    fires: [
      "aws cloudtrail stop-logging --name main",
      "bash -c 'aws logs delete-log-group --log-group-name /shop/web'",
    ],
    passes: [
      "aws cloudtrail describe-trails",
      "aws logs tail /shop/web",
      "aws logs put-retention-policy --log-group-name x --retention-in-days 30",
    ],
  },
  {
    id: "aws-make-public",
    family: "safety",
    match: [
      {
        program: "aws",
        words: "s3api put-bucket-acl|s3api create-bucket|s3api put-object-acl",
        value: { of: "--acl", like: "public-read(?:-write)?|authenticated-read" },
      },
      { program: "aws", words: "s3api delete-public-access-block|s3control delete-public-access-block" },
      {
        program: "aws",
        words: "s3api put-public-access-block|s3control put-public-access-block",
        text: "(?:Block|Ignore|Restrict)Public\\w+[\"']?[=:]\\s*false",
      },
      {
        program: "aws",
        words:
          "s3api put-bucket-policy|sqs add-permission|sns add-permission|secretsmanager put-resource-policy|ecr set-repository-policy|kms put-key-policy",
        text: '"Principal"\\s*:\\s*(?:"\\*"|\\{\\s*"AWS"\\s*:\\s*\\[?\\s*"\\*")',
      },
      {
        program: "aws",
        words: "rds modify-db-instance|rds create-db-instance|redshift modify-cluster",
        flags: ["--publicly-accessible"],
      },
      {
        program: "aws",
        words:
          "ec2 modify-snapshot-attribute|ec2 modify-image-attribute|rds modify-db-snapshot-attribute|rds modify-db-cluster-snapshot-attribute",
        text: "--(?:group-names|values-to-add|launch-permission)[ =]\\W*(?:Add=\\W*Group=)?all\\b|Group=all\\b",
      },
      { program: "aws", words: "lambda add-permission", text: "--principal[ =]\\*" },
      {
        program: "aws",
        words: "lambda create-function-url-config|lambda update-function-url-config",
        text: "--auth-type[ =]NONE",
      },
    ],
    message: "Everybody on the internet can then reach it.",
    remedy: "Name the accounts that need it, or hand out links that end with `aws s3 presign`.",
    fires: [
      "aws s3api put-bucket-acl --bucket shop --acl public-read",
      "sudo aws s3api delete-public-access-block --bucket shop",
      `aws s3api put-bucket-policy --bucket shop --policy '{"Statement":[{"Effect":"Allow","Principal":"*","Action":"s3:GetObject"}]}'`,
    ],
    passes: [
      "aws s3api put-bucket-acl --bucket shop --acl private",
      "aws s3api put-bucket-policy --bucket shop --policy file://policy.json",
      "aws s3api get-public-access-block --bucket shop",
    ],
  },
  {
    id: "aws-upload-public",
    family: "safety",
    action: "advise",
    match: [
      {
        program: "aws",
        words: "s3 cp|s3 sync|s3 mv|s3api put-object",
        value: { of: "--acl", like: "public-read(?:-write)?" },
        without,
      },
    ],
    message: "Everybody on the internet can read what is uploaded.",
    remedy: "Leave `--acl` out, and serve the bucket through CloudFront.",
    fires: [
      "aws s3 cp report.pdf s3://shop/ --acl public-read",
      "sudo aws s3 sync --acl=public-read-write . s3://shop",
    ],
    passes: ["aws s3 cp report.pdf s3://shop/", "aws s3 sync . s3://shop --acl private"],
  },
  {
    id: "aws-open-port",
    family: "safety",
    match: [
      {
        program: "aws",
        words: "ec2 authorize-security-group-ingress",
        text: `--cidr[ =](?:0\\.0\\.0\\.0/0|::/0).*--port[ =]${innerPorts}\\b`,
        without,
      },
      {
        program: "aws",
        words: "ec2 authorize-security-group-ingress",
        text: `--port[ =]${innerPorts}\\b.*--cidr[ =](?:0\\.0\\.0\\.0/0|::/0)`,
        without,
      },
      {
        program: "aws",
        words: "ec2 authorize-security-group-ingress",
        text: "--protocol[ =](?:-1|all)\\b.*(?:0\\.0\\.0\\.0/0|::/0)",
        without,
      },
      {
        program: "aws",
        words: "ec2 authorize-security-group-ingress",
        text: `FromPort["']?[=:]\\s*${innerPorts}\\b.*(?:0\\.0\\.0\\.0/0|::/0)`,
        without,
      },
    ],
    message: "The whole internet can then try this port.",
    remedy: "Give the one address that needs it, or use `aws ssm start-session`.",
    fires: [
      "aws ec2 authorize-security-group-ingress --group-id sg-1 --protocol tcp --port 22 --cidr 0.0.0.0/0",
      "bash -c 'aws ec2 authorize-security-group-ingress --group-id sg-1 --protocol -1 --cidr 0.0.0.0/0'",
    ],
    passes: [
      "aws ec2 authorize-security-group-ingress --group-id sg-1 --protocol tcp --port 443 --cidr 0.0.0.0/0",
      "aws ec2 authorize-security-group-ingress --group-id sg-1 --protocol tcp --port 22 --cidr 203.0.113.7/32",
    ],
  },
  {
    id: "aws-grant-admin",
    family: "safety",
    match: [
      {
        program: "aws",
        words: "iam attach-user-policy|iam attach-role-policy|iam attach-group-policy",
        text: "policy/(?:AdministratorAccess|IAMFullAccess|PowerUserAccess)\\b",
      },
      {
        program: "aws",
        words: "iam put-user-policy|iam put-role-policy|iam put-group-policy|iam create-policy",
        text: '"Action"\\s*:\\s*\\[?\\s*"\\*"',
      },
      {
        program: "aws",
        words: "iam update-assume-role-policy|iam create-role",
        text: '"AWS"\\s*:\\s*"\\*"|"Principal"\\s*:\\s*"\\*"',
      },
    ],
    message: "Whoever holds this account may then do everything.",
    remedy: "Attach a policy with only the actions that are needed.",
    fires: [
      "aws iam attach-role-policy --role-name ci --policy-arn arn:aws:iam::aws:policy/AdministratorAccess",
      `sudo aws iam put-user-policy --user-name ann --policy-name p --policy-document '{"Statement":[{"Effect":"Allow","Action":"*","Resource":"*"}]}'`,
    ],
    passes: [
      "aws iam attach-role-policy --role-name ci --policy-arn arn:aws:iam::aws:policy/ReadOnlyAccess",
      "aws iam get-policy --policy-arn arn:aws:iam::aws:policy/AdministratorAccess",
    ],
  },
  {
    id: "aws-create-access-key",
    family: "secrets",
    match: [
      {
        program: "aws",
        words:
          "iam create-access-key|iam create-login-profile|iam update-login-profile|iam create-service-specific-credential",
        without,
      },
    ],
    message: "This makes a key that never ends, and prints it into the conversation.",
    remedy: "Use a role or `aws sso login`, whose keys end by themselves.",
    fires: [
      "aws iam create-access-key --user-name ann",
      "sudo aws iam create-login-profile --user-name ann --password x",
    ],
    passes: [
      "aws iam list-access-keys",
      "aws sso login",
      "aws iam create-access-key --generate-cli-skeleton",
    ],
  },
  {
    id: "aws-read-secret",
    family: "secrets",
    match: [
      {
        program: "aws",
        words: "secretsmanager get-secret-value|secretsmanager batch-get-secret-value",
        without,
      },
      {
        program: "aws",
        words: "ssm get-parameter|ssm get-parameters|ssm get-parameters-by-path",
        flags: ["--with-decryption"],
      },
      {
        program: "aws",
        words: "configure get",
        operand: { like: "(?:.*\\.)?aws_(?:secret_access_key|session_token)" },
      },
      { program: "aws", words: "configure export-credentials" },
    ],
    message: "The secret's value becomes part of the conversation.",
    remedy: "Let the program that needs the secret read it by itself; look only at its name.",
    fires: [
      "aws secretsmanager get-secret-value --secret-id db",
      "ssh ops 'aws ssm get-parameter --name /db/pw --with-decryption'",
      "aws configure get aws_secret_access_key",
    ],
    passes: [
      "aws secretsmanager list-secrets",
      "aws ssm get-parameter --name /db/host",
      "aws configure get region",
    ],
  },
  {
    id: "aws-write-key-as-argument",
    family: "secrets",
    action: "advise",
    match: [
      {
        program: "aws",
        words: "configure set",
        operand: { like: "(?:.*\\.)?aws_(?:secret_access_key|session_token)" },
        count: [2, 9],
      },
    ],
    message: "The key stays in the shell's history, and in a file that never ends.",
    remedy: "Use `aws configure sso`, or type the key into `aws configure`.",
    fires: [
      "aws configure set aws_secret_access_key abc123",
      "sudo aws configure set profile.ci.aws_secret_access_key abc",
    ],
    passes: ["aws configure set region eu-west-1", "aws configure sso"],
  },
  {
    id: "aws-run-destructive-remotely",
    family: "safety",
    match: [
      {
        program: "aws",
        words: "ssm send-command",
        text: "\\brm +-\\w*r\\w*|\\bmkfs|\\bdd +if=|\\bshutdown\\b|\\bdrop +(?:table|database)\\b|\\bRemove-Item\\b.*-Recurse",
      },
      {
        program: "az",
        words: "vm run-command",
        text: "\\brm +-\\w*r\\w*|\\bmkfs|\\bdd +if=|\\bshutdown\\b|\\bdrop +(?:table|database)\\b|\\bRemove-Item\\b.*-Recurse",
      },
    ],
    message: "This runs a destructive command on machines of the cloud, possibly on many at once.",
    remedy: "Log in to the one machine and look first.",
    fires: [
      `aws ssm send-command --targets Key=tag:app,Values=web --document-name AWS-RunShellScript --parameters 'commands=["rm -rf /var/data"]'`,
      "az vm run-command invoke -g shop -n vm1 --command-id RunShellScript --scripts 'shutdown -h now'",
    ],
    passes: [
      `aws ssm send-command --instance-ids i-1 --document-name AWS-RunShellScript --parameters 'commands=["df -h"]'`,
      "aws ssm list-commands",
    ],
  },
];
