/** Signs requests for Amazon's services. */
export class AwsClient {
  constructor(options: {
    readonly accessKeyId: string
    readonly secretAccessKey: string
    readonly sessionToken?: string
    readonly region: string
    readonly service: string
  })
  sign(address: string, init: RequestInit): Promise<Request>
}
