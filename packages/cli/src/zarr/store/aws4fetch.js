// The signatures of S3. This is JavaScript because the declarations of that package name types that only pages have;
// what is used of it is declared beside.
export { AwsClient } from 'aws4fetch'
