import { createPublicKey } from 'node:crypto';
import { expect } from 'chai';
import { HttpResponse, http } from 'msw';
import { type SetupServer, setupServer } from 'msw/node';
import { SimpleAuthenticationDetailsProvider } from 'oci-common';
import { KmsCryptoClient, KmsManagementClient, type models } from 'oci-keymanagement';
import type { FakeCall } from '../../demo/fake-clouds/fake-server.ts';
import { checkSignature } from '../../demo/fake-clouds/oci-signature.ts';
import { byFetch } from '../support/kms/by-fetch.ts';
import { ociBackends, useFakeOci } from '../support/kms/oci.ts';

/** The key of draft-cavage-http-signatures Appendix C, which Oracle's examples are signed with. */
const EXAMPLE_KEY = {
  kty: 'RSA',
  n: 'whRDRsN98hoocvdqQ42UIZdAt-qzyY_gr30gvPqtvIcQNetUBTVHdd8Lgk1HKtEHdqrAXv9oRcnNgwiSYNIdS-_PumeFDEexDnKX3VBPR395v4bPhVEeObgSXgytR0hRw_Gxyg-pL_BTxnyU6LXPtsYycKGIvtYaqdXyHpGsbMk',
  e: 'AQAB',
};
const EXAMPLE_KEY_ID =
  'ocid1.tenancy.oc1..aaaaaaaaba3pv6wkcr4jqae5f15p2b2m2yt2j6rx32uzr4h25vqstifsfdsq/ocid1.user.oc1..aaaaaaaat5nvwcna5j6aqzjcaty5eqbb6qt2jvpkanghtgdaqedqw3rynjq/20:3b:97:13:55:1c:5b:0d:d3:37:d8:50:4e:c5:3a:34';
const COMPARTMENT = 'ocid1.compartment.oc1..aaaaaaaam3we6vgnherjq5q2idnccdflvjsnog7mlr6rtdb25gilchfeyjxa';
const VOLUME = 'ocid1.volume.oc1.phx.abyhqljrgvttnlx73nmrwfaux7kcvzfs3s66izvxf2h4lgvyndsdsnoiwr5q';
const DATE = 'Thu, 05 Jan 2014 21:31:40 GMT';

const authorization = (headers: string, signature: string): string =>
  `Signature version="1",headers="${headers}",keyId="${EXAMPLE_KEY_ID}",algorithm="rsa-sha256",signature="${signature}"`;

/** The two examples of Oracle's page "Request Signatures". */
const EXAMPLES: Record<string, FakeCall> = {
  'of a GET': {
    method: 'GET',
    path: `/20160918/instances?availabilityDomain=Pjwf%3A%20PHX-AD-1&compartmentId=${COMPARTMENT}&displayName=TeamXInstances&volumeId=${VOLUME}`,
    headers: {
      date: DATE,
      host: 'iaas.us-phoenix-1.oraclecloud.com',
      authorization: authorization(
        'date (request-target) host',
        'GBas7grhyrhSKHP6AVIj/h5/Vp8bd/peM79H9Wv8kjoaCivujVXlpbKLjMPeDUhxkFIWtTtLBj3sUzaFj34XE6YZAHc9r2DmE4pMwOAy/kiITcZxa1oHPOeRheC0jP2dqbTll8fmTZVwKZOKHYPtrLJIJQHJjNvxFWeHQjMaR7M=',
      ),
    },
    body: Buffer.alloc(0),
  },
  'of a POST': {
    method: 'POST',
    path: '/20160918/volumeAttachments',
    headers: {
      date: DATE,
      host: 'iaas.us-phoenix-1.oraclecloud.com',
      'content-length': '316',
      'content-type': 'application/json',
      'x-content-sha256': 'V9Z20UJTvkvpJ50flBzKE32+6m2zJjweHpDMX/U4Uy0=',
      authorization: authorization(
        'date (request-target) host content-length content-type x-content-sha256',
        'Mje8vIDPlwIHmD/cTDwRxE7HaAvBg16JnVcsuqaNRim23fFPgQfLoOOxae6WqKb1uPjYEl0qIdazWaBy/Ml8DRhqlocMwoSXv0fbukP8J5N80LCmzT/FFBvIvTB91XuXI3hYfP9Zt1l7S6ieVadHUfqBedWH0itrtPJBgKmrWso=',
      ),
    },
    body: Buffer.from(
      `{\n    "compartmentId": "${COMPARTMENT}",\n` +
        '    "instanceId": "ocid1.instance.oc1.phx.abuw4ljrlsfiqw6vzzxb43vyypt4pkodawglp3wqxjqofakrwvou52gb6s5a",\n' +
        `    "volumeId": "${VOLUME}"\n}`,
    ),
  },
};

describe('the signatures that the fake of Oracle OCI Vault accepts', () => {
  const publicKey = createPublicKey({ key: EXAMPLE_KEY, format: 'jwk' });
  const publicKeyOf = (keyId: string) => (keyId === EXAMPLE_KEY_ID ? publicKey : undefined);
  const check = (call: FakeCall, now = Date.parse(DATE)) => checkSignature(call, { publicKeyOf, now });

  for (const [name, call] of Object.entries(EXAMPLES)) {
    const over = (headers: Record<string, string>, rest: Partial<FakeCall> = {}): FakeCall => ({
      ...call,
      ...rest,
      headers: { ...call.headers, ...headers },
    });
    const written = String(call.headers.authorization);

    it(`include Oracle's own example ${name}, up to five minutes from its date`, () => {
      const minute = 60_000;
      expect(check(call)).to.deep.equal({ keyId: EXAMPLE_KEY_ID });
      for (const minutes of [-5, 5]) expect(check(call, Date.parse(DATE) + minutes * minute)).to.have.key('keyId');
      for (const minutes of [-6, 6]) expect(check(call, Date.parse(DATE) + minutes * minute)).to.have.key('refusal');
    });

    it(`do not include Oracle's own example ${name} after any change`, () => {
      const changed = [
        over({}, { path: `${call.path}0` }),
        over({}, { method: 'DELETE' }),
        over({ date: 'Thu, 05 Jan 2014 21:31:41 GMT' }),
        over({ host: 'iaas.us-ashburn-1.oraclecloud.com' }),
        over({ authorization: written.replace('headers="date ', 'headers="') }),
        over({ authorization: written.replace(' host', '') }),
        over({ authorization: written.replace('version="1"', 'version="2"') }),
        over({ authorization: written.replace('rsa-sha256', 'hmac-sha256') }),
        over({ authorization: written.replace('ocid1.user', 'ocid1.User') }),
        over({ authorization: `${written},keyId="other"` }),
        over({ authorization: written.replace('Signature ', 'Bearer ') }),
        over({ authorization: '' }),
      ];
      if (call.method === 'POST')
        changed.push(
          over({}, { body: Buffer.concat([call.body, Buffer.from(' ')]) }),
          over({ 'content-type': 'text/plain' }),
          over({ authorization: written.replace(' x-content-sha256', '') }),
        );
      for (const [index, one] of changed.entries()) expect(check(one), `change ${index}`).to.have.key('refusal');
    });
  }
});

describe('Oracle OCI Vault at its public host names (calls by fetch, which msw intercepts, instead of the network guard)', () => {
  const under = useFakeOci();
  const HOSTS = {
    management: 'abcd-management.kms.eu-frankfurt-1.oraclecloud.com',
    crypto: 'abcd-crypto.kms.eu-frankfurt-1.oraclecloud.com',
  };
  const calls: { url: string; method: string; body: unknown; names: string[] }[] = [];
  let intercepting: SetupServer;

  before(() => {
    const handlers = Object.entries(HOSTS).map(([endpoint, host]) =>
      http.all(`https://${host}/*`, async ({ request }) => {
        const { pathname, search } = new URL(request.url);
        const body = Buffer.from(await request.arrayBuffer());
        const { method } = request;
        const headers = { ...Object.fromEntries(request.headers), host };
        const content = body.length === 0 ? undefined : JSON.parse(body.toString('utf8'));
        calls.push({ url: request.url, method, body: content, names: Object.keys(headers).sort() });
        const reply = await under.fake.answer(endpoint as 'crypto', { method, path: pathname + search, headers, body });
        return new HttpResponse(reply.body as string, { status: reply.status, headers: reply.headers });
      }),
    );
    intercepting = setupServer(...handlers);
    intercepting.listen({ onUnhandledRequest: 'error' });
  });
  beforeEach(() => calls.splice(0));
  after(() => intercepting.close());

  const config = (over = {}) =>
    under.config({ managementEndpoint: HOSTS.management, cryptoEndpoint: `https://${HOSTS.crypto}`, ...over });

  it('creates, signs and deletes there over https: a host name alone is enough', async () => {
    const { backends } = ociBackends({ outbound: byFetch, kmsc: { allowHttp: false } });
    under.fake.vault.readsUntilEnabled = 0;
    const reference = await backends.create('kmsc-rest-api', { keyType: 'secp256r1', config: config() });
    expect(await backends.signer(reference).sign(Buffer.from('data'))).to.have.length(64);
    await backends.remove(reference);
    const key = `https://${HOSTS.management}/20180608/keys/${reference.id}`;
    expect(
      calls.map(({ method, url }) => `${method} ${url.replace(/keyVersions\/.*/, 'keyVersions/…')}`),
    ).to.deep.equal([
      `POST https://${HOSTS.management}/20180608/keys`,
      `GET ${key}`,
      `GET ${key}/keyVersions/…`,
      `POST https://${HOSTS.crypto}/20180608/sign`,
      `POST ${key}/actions/scheduleDeletion`,
    ]);
    const written: Record<string, unknown> = backends.write(reference, 'kmsc-rest-api');
    expect(written.config).to.include({ managementEndpoint: HOSTS.management });
  });

  it('sends what the vendor’s own HTTP client and signer send, dates and user agent apart; the fake accepts both', async () => {
    const { backends } = ociBackends({ outbound: byFetch });
    under.fake.vault.readsUntilEnabled = 0;
    const create = { keyType: 'secp256r1' as const, config: config({ tags: { team: 'x' } }), name: 'compared' };
    const reference = await backends.create('kmsc', create);
    await backends.signer(reference).sign(Buffer.from('data'));
    const ours = calls.splice(0);
    await byVendor(ours);
    const comparable = ({ url, names, ...call }: (typeof calls)[number]) => ({
      ...call,
      url: url.replace(/keyVersions\/.*/, ''),
      names: names.map((name) => (name === 'x-date' ? 'date' : name)).filter((name) => !BY_FETCH.has(name)),
    });
    const unique = (list: string[]) => [...new Set(list)];
    const shape = (one: (typeof calls)[number]) => ({ ...comparable(one), names: unique(comparable(one).names) });
    expect(calls.map(shape)).to.deep.equal(ours.map(shape));
  });

  /** Headers that depend on the HTTP client, and one that says how often the vendor's retrier has tried. */
  const BY_FETCH = new Set([
    'user-agent',
    'accept',
    'accept-encoding',
    'accept-language',
    'sec-fetch-mode',
    'connection',
  ]);

  /** Repeats the same calls with the vendor's clients as they come. */
  async function byVendor([create, read, version, sign]: typeof calls): Promise<void> {
    const { tenancyId, userId, fingerprint, signingKeyPem } = under.user;
    const provider = new SimpleAuthenticationDetailsProvider(tenancyId, userId, fingerprint, signingKeyPem, null);
    const params = { authenticationDetailsProvider: provider };
    const management = new KmsManagementClient(params);
    management.endpoint = `https://${HOSTS.management}`;
    const crypto = new KmsCryptoClient(params);
    crypto.endpoint = `https://${HOSTS.crypto}`;
    await management.createKey({ createKeyDetails: create?.body as models.CreateKeyDetails });
    const keyId = String(read?.url.split('/').at(-1));
    await management.getKey({ keyId });
    await management.getKeyVersion({ keyId, keyVersionId: String(version?.url.split('/').at(-1)) });
    await crypto.sign({ signDataDetails: sign?.body as models.SignDataDetails });
    for (const client of [management, crypto]) client.close();
  }
});
