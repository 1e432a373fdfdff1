import { expect } from 'chai';
import { HttpResponse, http } from 'msw';
import { type SetupServer, setupServer } from 'msw/node';
import { useFakeAws } from '../support/kms/aws.ts';
import { byFetch } from '../support/kms/by-fetch.ts';
import { remoteBackends } from '../support/kms/remote-backends.ts';

describe('AWS KMS at its own endpoints', () => {
  const fake = useFakeAws();
  let intercepting: SetupServer;
  const hosts: string[] = [];

  before(() => {
    const post = http.post('https://*/', async ({ request }) => {
      const { host } = new URL(request.url);
      hosts.push(host);
      const { status, headers, body } = await fake.service.answer({
        method: request.method,
        path: new URL(request.url).pathname,
        headers: { ...Object.fromEntries(request.headers), host },
        body: Buffer.from(await request.arrayBuffer()),
      });
      return new HttpResponse(body as string, { status, headers });
    });
    intercepting = setupServer(post);
    intercepting.listen({ onUnhandledRequest: 'error' });
  });
  afterEach(() => hosts.splice(0));
  after(() => intercepting.close());

  const rows = [
    ['eu-central-1', 'kms.eu-central-1.amazonaws.com'],
    ['us-gov-west-1', 'kms.us-gov-west-1.amazonaws.com'],
    ['cn-north-1', 'kms.cn-north-1.amazonaws.com.cn'],
    ['us-iso-east-1', 'kms.us-iso-east-1.c2s.ic.gov'],
    ['eusc-de-east-1', 'kms.eusc-de-east-1.amazonaws.eu'],
  ] as const;
  for (const [region, host] of rows)
    it(`creates and signs in ${region}: ${host} accepts the signature for this host and region`, async () => {
      const { backends } = remoteBackends({ outbound: byFetch });
      fake.service.regions.push(region);
      const config = { auth: { ...fake.config().auth, region } };
      const reference = await backends.create('kmsa-rest-api', { keyType: 'secp256r1', config });
      expect(await backends.signer(reference).sign(Buffer.from('data'))).to.have.length(64);
      expect(hosts).to.deep.equal([host, host, host]);
    });
});
