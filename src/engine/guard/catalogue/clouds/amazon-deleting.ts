import type { GuardRule } from "../../calls/rule.ts";

/** Options with which nothing is changed. */
const without = "--dryrun|--dry-run|--generate-cli-skeleton";
/** A folder that is named as one of nothing. */
const emptyFolder = "(?i)(?:.*/)?(?:empty|void|nothing|blank)(?:[-_]?dir)?/?";

/** Rules on deleting what is kept and runs at Amazon. */
export const amazonDeletingRules: readonly GuardRule[] = [
  {
    id: "aws-delete-bucket",
    family: "safety",
    match: [
      { program: "aws", words: "s3 rb", without, notTesting: true, operand: { like: "s3://.*" } },
      { program: "aws", words: "s3api delete-bucket", without, notTesting: true },
    ],
    message: "This deletes the bucket, and with `--force` all that is in it.",
    remedy: "List it first with `aws s3 ls s3://BUCKET --summarize`, and keep the bucket if in doubt.",
    fires: [
      "aws s3 rb s3://shop-data --force",
      "sudo aws --profile prod s3api delete-bucket --bucket shop-data",
    ],
    passes: [
      "aws s3 ls s3://shop-data",
      "aws --endpoint-url http://localhost:4566 s3 rb s3://b",
      "aws s3 rb help",
      "aws s3 mb s3://shop-data",
    ],
  },
  {
    id: "aws-delete-objects",
    family: "safety",
    match: [
      { program: "aws", words: "s3 rm", flags: ["--recursive"], without, operand: { like: "s3://.*" } },
      { program: "aws", words: "s3api delete-objects", without },
    ],
    message: "This deletes every object below that prefix.",
    remedy: "Add `--dryrun` and read the list first.",
    fires: [
      "aws s3 rm s3://shop-data --recursive",
      "bash -c 'aws --region eu-west-1 s3 rm --recursive s3://shop-data/images/'",
      "aws s3api delete-objects --bucket shop-data --delete file://all.json",
    ],
    passes: [
      "aws s3 rm s3://shop-data/a.txt",
      "aws s3 rm s3://shop-data --recursive --dryrun",
      "aws s3 cp a s3://b --recursive",
    ],
  },
  {
    id: "aws-mirror-empty",
    family: "safety",
    match: [
      { program: "aws", words: "s3 sync", flags: ["--delete"], operand: { from: "mktemp" }, without },
      { program: "aws", words: "s3 sync", flags: ["--delete"], operand: { like: emptyFolder }, without },
    ],
    message: "Nothing is at the source, so everything at the target is deleted.",
    remedy: "Run it with `--dryrun` first, and name what is to be deleted.",
    fires: [
      'd=$(mktemp -d); aws s3 sync "$d" s3://shop-site --delete',
      "sudo aws s3 sync /tmp/empty/ s3://shop-site --delete",
    ],
    passes: [
      "aws s3 sync dist s3://shop-site",
      'aws s3 sync "$(mktemp -d)" s3://shop-site --delete --dryrun',
    ],
  },
  {
    id: "aws-mirror-delete",
    family: "safety",
    action: "advise",
    match: [{ program: "aws", words: "s3 sync", flags: ["--delete"], without }],
    message: "What is not at the source is deleted at the target.",
    remedy: "Run it with `--dryrun` first.",
    fires: ["aws s3 sync dist s3://shop-site --delete", "sudo aws s3 sync --delete s3://shop-data ."],
    passes: ["aws s3 sync dist s3://shop-site", "aws s3 sync dist s3://shop-site --delete --dryrun"],
  },
  {
    id: "aws-terminate-instances",
    family: "safety",
    match: [
      {
        program: "aws",
        words:
          "ec2 terminate-instances|autoscaling delete-auto-scaling-group|autoscaling terminate-instance-in-auto-scaling-group|lightsail delete-instance|ec2 cancel-spot-fleet-requests|workspaces terminate-workspaces",
        without,
      },
    ],
    message: "Terminated machines and their own disks are gone for good.",
    remedy: "Stop them with `aws ec2 stop-instances` instead, or take an image first.",
    fires: [
      "aws ec2 terminate-instances --instance-ids i-1 i-2",
      "aws ec2 describe-instances --query x --output text | xargs aws ec2 terminate-instances --instance-ids",
    ],
    passes: [
      "aws ec2 terminate-instances --instance-ids i-1 --dry-run",
      "aws ec2 describe-instances",
      "aws ec2 stop-instances --instance-ids i-1",
    ],
  },
  {
    id: "aws-delete-database",
    family: "safety",
    match: [
      {
        program: "aws",
        words:
          "rds delete-db-instance|rds delete-db-cluster|rds delete-global-cluster|dynamodb delete-table|redshift delete-cluster|redshift-serverless delete-namespace|elasticache delete-cache-cluster|elasticache delete-replication-group|elasticache delete-serverless-cache|docdb delete-db-cluster|docdb delete-db-instance|neptune delete-db-cluster|opensearch delete-domain|es delete-elasticsearch-domain|memorydb delete-cluster|keyspaces delete-keyspace|keyspaces delete-table|timestream-write delete-database|timestream-write delete-table|dsql delete-cluster|glue delete-database",
        without,
        notTesting: true,
      },
    ],
    message: "This deletes a database with its data.",
    remedy: "Take a final snapshot and let a person delete it.",
    fires: [
      "aws rds delete-db-instance --db-instance-identifier shop --skip-final-snapshot",
      "sudo /usr/local/bin/aws --profile prod dynamodb delete-table --table-name orders",
    ],
    passes: [
      "aws rds describe-db-instances",
      "aws dynamodb delete-item --table-name orders --key file://k.json",
      "aws rds subcommand help",
    ],
  },
  {
    id: "aws-delete-backup",
    family: "safety",
    match: [
      {
        program: "aws",
        words:
          "rds delete-db-snapshot|rds delete-db-cluster-snapshot|rds delete-db-instance-automated-backup|ec2 delete-snapshot|ec2 deregister-image|backup delete-recovery-point|backup delete-backup-vault|backup delete-backup-plan|dynamodb delete-backup|redshift delete-cluster-snapshot|elasticache delete-snapshot|fsx delete-backup|glacier delete-archive|glacier delete-vault",
        without,
      },
    ],
    message: "Without this backup the data cannot be brought back.",
    remedy: "Leave old backups to a retention policy.",
    fires: [
      "aws rds delete-db-snapshot --db-snapshot-identifier shop-1",
      "ssh ops 'aws ec2 delete-snapshot --snapshot-id snap-1'",
    ],
    passes: [
      "aws rds describe-db-snapshots",
      "aws ec2 create-snapshot --volume-id vol-1",
      "aws ec2 delete-snapshot --snapshot-id snap-1 --dry-run",
    ],
  },
  {
    id: "aws-delete-disk",
    family: "safety",
    match: [
      {
        program: "aws",
        words:
          "ec2 delete-volume|efs delete-file-system|fsx delete-file-system|fsx delete-volume|lightsail delete-disk",
        without,
      },
    ],
    message: "This deletes a disk or a file system with its data.",
    remedy: "Take a snapshot first, and detach it for some days.",
    fires: [
      "aws ec2 delete-volume --volume-id vol-1",
      "sudo aws efs delete-file-system --file-system-id fs-1",
    ],
    passes: ["aws ec2 describe-volumes", "aws ec2 detach-volume --volume-id vol-1"],
  },
  {
    id: "aws-delete-stack",
    family: "safety",
    match: [
      {
        program: "aws",
        words:
          "cloudformation delete-stack|cloudformation delete-stack-set|cloudformation delete-stack-instances|elasticbeanstalk terminate-environment|elasticbeanstalk delete-application|amplify delete-app|proton delete-environment",
        without,
      },
      { program: "sam|samlocal", words: "delete" },
      { program: "eb", words: "terminate" },
      { program: "copilot", words: "app delete|env delete|svc delete|job delete" },
      { program: "amplify|ampx", words: "delete|remove|sandbox delete" },
    ],
    message: "This deletes all that the stack made: machines, databases, buckets.",
    remedy: "Look at its resources first, and give those that keep data a policy to retain them.",
    fires: [
      "aws cloudformation delete-stack --stack-name shop",
      "npx amplify delete --yes",
      "sam delete --no-prompts",
      "eb terminate shop-env --force",
    ],
    passes: [
      "aws cloudformation describe-stacks",
      "sam deploy",
      "eb status",
      "aws cloudformation create-change-set --stack-name shop",
    ],
  },
  {
    id: "aws-delete-cluster",
    family: "safety",
    match: [
      {
        program: "aws",
        words:
          "eks delete-cluster|eks delete-nodegroup|ecs delete-cluster|ecs delete-service|emr terminate-job-flows|emr terminate-clusters|kafka delete-cluster|mq delete-broker|sagemaker delete-endpoint|sagemaker delete-domain|batch delete-compute-environment",
        without,
      },
      {
        program: "aws",
        words: "ecr delete-repository|ecr batch-delete-image|ecr-public delete-repository",
        without,
      },
    ],
    message: "This takes down a cluster or a service, or deletes the images that it runs.",
    remedy: "Scale it to nothing first, and let the one who owns it delete it.",
    fires: [
      "aws eks delete-cluster --name shop",
      "sudo aws ecr delete-repository --repository-name shop --force",
    ],
    passes: [
      "aws eks update-kubeconfig --name shop",
      "aws ecs list-services",
      "aws ecr list-images --repository-name shop",
    ],
  },
  {
    id: "aws-delete-network",
    family: "safety",
    match: [
      {
        program: "aws",
        words:
          "ec2 delete-vpc|ec2 delete-nat-gateway|ec2 delete-transit-gateway|ec2 release-address|route53 delete-hosted-zone|route53domains delete-domain|cloudfront delete-distribution|elbv2 delete-load-balancer|elb delete-load-balancer|apigateway delete-rest-api|apigatewayv2 delete-api|acm delete-certificate|directconnect delete-connection",
        without,
      },
      { program: "aws", words: "route53 change-resource-record-sets", text: '"Action"\\s*:\\s*"DELETE"' },
    ],
    message: "What is behind it can no longer be reached, and its address may not come back.",
    remedy: "Take traffic away first, and see for a day that nothing uses it.",
    fires: [
      "aws route53 delete-hosted-zone --id Z1",
      "bash -c 'aws elbv2 delete-load-balancer --load-balancer-arn arn:aws:x'",
    ],
    passes: [
      "aws route53 list-hosted-zones",
      "aws ec2 delete-vpc --vpc-id vpc-1 --dry-run",
      "aws ec2 describe-vpcs",
    ],
  },
  {
    id: "aws-delete-service",
    family: "safety",
    match: [
      {
        program: "aws",
        words:
          "lambda delete-function|sqs purge-queue|sqs delete-queue|sns delete-topic|kinesis delete-stream|firehose delete-delivery-stream|stepfunctions delete-state-machine|events delete-event-bus|scheduler delete-schedule-group|apprunner delete-service|codecommit delete-repository|codeartifact delete-repository|codeartifact delete-domain|codepipeline delete-pipeline",
        without,
      },
    ],
    message: "This deletes a service that others may use, or the messages that wait in it.",
    remedy: "Look at its metrics for callers first, and disable it for a day.",
    fires: [
      "aws lambda delete-function --function-name pay",
      "sudo aws sqs purge-queue --queue-url https://sqs.eu-west-1.amazonaws.com/1/q",
    ],
    passes: [
      "aws lambda list-functions",
      "aws sqs delete-message --queue-url q --receipt-handle r",
      "aws lambda invoke --function-name pay out.json",
    ],
  },
  {
    id: "aws-delete-key",
    family: "safety",
    match: [
      {
        program: "aws",
        words:
          "kms schedule-key-deletion|kms disable-key|kms delete-imported-key-material|secretsmanager delete-secret|ssm delete-parameter|ssm delete-parameters|acm-pca delete-certificate-authority|cloudhsmv2 delete-cluster",
        without,
      },
    ],
    message: "All that was encrypted with the key, or that reads the secret, stops working.",
    remedy: "Rotate it, and look in CloudTrail for who still uses it.",
    fires: [
      "aws kms schedule-key-deletion --key-id 1 --pending-window-in-days 7",
      "ssh ops aws secretsmanager delete-secret --secret-id db --force-delete-without-recovery",
    ],
    passes: [
      "aws kms list-keys",
      "aws secretsmanager list-secrets",
      "aws kms encrypt --key-id 1 --plaintext fileb://x",
    ],
  },
  {
    id: "aws-delete-identity",
    family: "safety",
    match: [
      {
        program: "aws",
        words:
          "iam delete-user|iam delete-role|iam delete-group|iam delete-policy|iam delete-account-alias|iam delete-saml-provider|cognito-idp delete-user-pool|cognito-identity delete-identity-pool|organizations close-account|organizations leave-organization|organizations remove-account-from-organization|organizations delete-organization|account close-account|sso-admin delete-permission-set",
        without,
      },
    ],
    message: "People or programs lose their account at once.",
    remedy: "Detach its policies or deactivate its keys first, which can be undone.",
    fires: [
      "aws iam delete-role --role-name deploy",
      "sudo aws cognito-idp delete-user-pool --user-pool-id eu-1",
    ],
    passes: [
      "aws iam list-roles",
      "aws iam get-role --role-name deploy",
      "aws iam create-user --cli-auto-prompt",
    ],
  },
  {
    id: "aws-scale-to-nothing",
    family: "safety",
    action: "advise",
    match: [
      { program: "aws", words: "ecs update-service", text: "--desired-count[ =]0\\b" },
      {
        program: "aws",
        words: "autoscaling update-auto-scaling-group|autoscaling set-desired-capacity",
        text: "--(?:max-size|desired-capacity)[ =]0\\b",
      },
      { program: "aws", words: "rds stop-db-instance|rds stop-db-cluster", without },
    ],
    message: "The service stops answering until it is scaled up again.",
    remedy: "Make sure that it is the right account and region with `aws sts get-caller-identity`.",
    fires: [
      "aws ecs update-service --cluster shop --service web --desired-count 0",
      "sudo aws rds stop-db-instance --db-instance-identifier shop",
    ],
    passes: [
      "aws ecs update-service --cluster shop --service web --desired-count 2",
      "aws rds start-db-instance --db-instance-identifier shop",
    ],
  },
];
