import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { degree, onboard } from '../../../demo/actors/issuer.ts';
import { makeOffer } from '../../actors/issuance.ts';
import { accept } from '../../actors/wallet.ts';
import { newWalletUser } from '../../actors/wallet-user.ts';
import { useClouds } from '../../support/kms/clouds.ts';
import { startServer, type TestServer, useServer } from '../../support/servers/server.ts';
import { readListCredential } from '../../support/status/issued-lists.ts';

type Json = Record<string, unknown>;

/** The status entry in a credential. */
interface Entry {
  id: string;
  type: string;
  statusPurpose: string;
  statusListIndex: string;
  statusListCredential: string;
}

const entryIn = (credential: string): Entry => {
  const { vc } = decodeJwt(credential) as { vc: { credentialStatus: Entry } };
  return vc.credentialStatus;
};

/** Issues a degree; `changes` replaces members of the request. */
async function issueTo(server: TestServer, issuer: Parameters<typeof degree>[0], changes: Json): Promise<string> {
  const { status, body } = await accept(server, await makeOffer(server, degree(issuer, changes)));
  expect(status, JSON.stringify(body)).to.equal(200);
  return body.credential;
}

const fetchList = (server: TestServer, { statusListCredential: url }: Entry) => {
  expect(url).to.match(new RegExp(`^${server.url}/status-lists/`));
  return server.call('getStatusList', { path: { id: url.split('/').at(-1) ?? '' } });
};

describe('getStatusList', () => {
  const server = useServer();
  let issuer: Awaited<ReturnType<typeof onboard>>;
  before(async () => {
    issuer = await onboard(server, { key: { keyType: 'secp256r1' } });
  });

  it('200: the RevocationList2020 that a credential names, in which it is valid until it is revoked', async () => {
    const credential = await issueTo(server, issuer, { statusList: { type: 'RevocationList2020' } });
    const { revocationListIndex, revocationListCredential: url, ...entry } = entryIn(credential) as unknown as Json;
    expect(entry).to.deep.equal({ id: `${url}#${revocationListIndex}`, type: 'RevocationList2020Status' });
    const states = [];
    for (const revoke of [false, true]) {
      if (revoke) await server.call('revokeCredential', { text: credential });
      const reply = await fetch(String(url));
      expect(reply.headers.get('content-type')).to.equal('application/jwt');
      const list = await readListCredential(await reply.text(), { ...issuer.issuerKey.jwk, d: undefined });
      const check = await server.call('checkRevocation', { text: credential });
      states.push([list.status(Number(revocationListIndex)), check.body]);
    }
    expect(states).to.deep.equal([
      [0, { isRevoked: false }],
      [1, { isRevoked: true }],
    ]);
  });

  for (const [type, mediaType] of [
    ['BitstringStatusList', 'application/vc+jwt'],
    ['StatusList2021', 'application/jwt'],
  ])
    it(`200: the ${type} that a credential names, signed by its issuer, in which it is valid`, async () => {
      for (const purpose of ['revocation', 'suspension']) {
        const entry = entryIn(await issueTo(server, issuer, { statusList: { type, purpose } }));
        expect(entry).to.include({ type: `${type}Entry`, statusPurpose: purpose });
        const { status, headers, body } = await fetchList(server, entry);
        expect(status).to.equal(200);
        expect(headers.get('content-type')).to.equal(mediaType);
        expect(headers.get('cache-control')).to.equal('public, max-age=900');
        expect(headers.get('access-control-allow-origin')).to.equal('*');
        const list = await readListCredential(body, { ...issuer.issuerKey.jwk, d: undefined });
        expect(list.claims.iss).to.equal(issuer.issuerDid);
        expect(list.size).to.equal(131_072);
        expect(list.status(Number(entry.statusListIndex))).to.equal(0);
      }
    });

  it('404: there is no such list', async () => {
    for (const id of ['00000000-0000-4000-8000-000000000000', 'none']) {
      const { status, body } = await server.call('getStatusList', { path: { id } });
      expect({ status, id: body.id }).to.deep.equal({ status: 404, id: 'NotFound' });
    }
  });
});

describe('a credential with an entry of a status list', () => {
  const server = useServer();
  let issuer: Awaited<ReturnType<typeof onboard>>;
  before(async () => {
    issuer = await onboard(server, { key: { keyType: 'secp256r1' } });
  });

  const isRevoked = (at: TestServer, credential: string) => at.call('checkRevocation', { text: credential });

  it('is not revoked for our own check, and for one of another server, which fetches the list', async () => {
    const other = await startServer();
    try {
      for (const type of ['BitstringStatusList', 'StatusList2021']) {
        const credential = await issueTo(server, issuer, { statusList: { type } });
        for (const at of [server, other]) {
          const { status, body } = await isRevoked(at, credential);
          expect({ status, body }, type).to.deep.equal({ status: 200, body: { isRevoked: false } });
        }
      }
    } finally {
      await other.close();
    }
  });

  it('is held by our wallet, which reads its status', async () => {
    const holder = await newWalletUser(server);
    const text = (await server.call('issueJwtCredential', { json: degree(issuer, { statusList: {} }) })).body;
    const accepted = await holder.call('acceptCredentialOffer', { text, query: { did: holder.did } });
    expect(accepted.status, JSON.stringify(accepted.body)).to.equal(200);
    const [{ id }] = accepted.body;
    const path = { credentialId: id };
    const { status, body } = await holder.call('getWalletCredentialStatus', { path });
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(body).to.have.length(1);
    expect(JSON.stringify(body)).to.include('revocation');
  });

  it('has an entry that no other credential has, and that does not stand near those made at the same time', async () => {
    const credentials = await Promise.all(Array.from({ length: 8 }, () => issueTo(server, issuer, { statusList: {} })));
    const entries = credentials.map(entryIn);
    expect(new Set(entries.map((entry) => entry.statusListCredential)).size).to.equal(1);
    const indexes = entries.map((entry) => Number(entry.statusListIndex)).sort((a, b) => a - b);
    for (const [place, index] of indexes.slice(1).entries()) expect(index - (indexes[place] ?? 0)).to.be.at.least(32);
  });

  it('400: the list does not fit the credential, or the credential has a status of its own', async () => {
    const own = { id: 'https://status.example.org/1#2', type: 'StatusList2021Entry' };
    for (const [changes, member] of [
      [{ statusList: { type: 'TokenStatusList' } }, ['body', 'statusList', 'type']],
      [{ statusList: { format: 'CWT' } }, ['body', 'statusList', 'format']],
      [{ statusList: { statusSize: 2 } }, ['body', 'statusList', 'statusSize']],
      [{ statusList: { purpose: 'refresh' } }, ['body', 'statusList', 'purpose']],
      [{ statusList: { other: true } }, ['body', 'statusList', 'other']],
      [{ statusList: {}, credentialStatus: own }, ['body', 'statusList']],
    ] as const) {
      const { status, body } = await server.call('issueJwtCredential', { json: degree(issuer, changes) });
      expect(status, JSON.stringify(changes)).to.equal(400);
      expect(body.details[0].path, JSON.stringify(body.details)).to.equal(`/${member.join('/')}`);
    }
  });
});

describe('a configuration with a status list', () => {
  const server = useServer({
    settings: {
      issuerMetadata: { statusLists: { UniversityDegree_jwt_vc_json: { purpose: 'suspension' } } },
    },
  });

  it('gives each of its credentials an entry, unless the request says otherwise', async () => {
    const issuer = await onboard(server, { key: { keyType: 'secp256r1' } });
    expect(entryIn(await issueTo(server, issuer, {}))).to.include({
      type: 'BitstringStatusListEntry',
      statusPurpose: 'suspension',
    });
    const named = await issueTo(server, issuer, { statusList: { type: 'StatusList2021' } });
    expect(entryIn(named)).to.include({ type: 'StatusList2021Entry', statusPurpose: 'revocation' });
    const credentialStatus = { id: 'https://status.example.org/1#2', type: 'Own' };
    expect(entryIn(await issueTo(server, issuer, { credentialStatus }))).to.deep.equal(credentialStatus);
    const metadata = await server.call('getIssuerMetadata');
    expect(JSON.stringify(metadata.body)).not.to.include('statusList');
  });

  it('the start names an entry of no configuration, or one that does not fit its format', async () => {
    for (const [statusLists, message] of [
      [{ Unknown: {} }, /statusLists\.Unknown is not the id/],
      [{ UniversityDegree_jwt_vc_json: { format: 'CWT' } }, /statusLists\.UniversityDegree_jwt_vc_json.*JWT/],
    ] as const) {
      const failure = await startServer({ settings: { issuerMetadata: { statusLists } } }).then(
        () => '',
        (error: Error) => error.message,
      );
      expect(failure).to.match(message);
    }
  });
});

describe('a status list whose key cannot be used', () => {
  const clouds = useClouds();
  const server = useServer(async () => ({
    settings: { outbound: { allow: ['127.0.0.1'] }, kms: { ...clouds.settings, timeoutSeconds: 3 } },
  }));

  it('502 and 504: the reason is not the reader’s business; the list is there once the key service works', async () => {
    const [cloud] = clouds.all;
    if (!cloud) throw new Error('There is no cloud');
    const key = { backend: cloud.backend, keyType: 'secp256r1', config: cloud.config() };
    const { status: onboarded, body: issuer } = await server.call('onboardIssuer', { json: { key } });
    expect(onboarded, JSON.stringify(issuer)).to.equal(200);
    for (const [fault, expected] of [
      [{ kind: 'fail' }, 502],
      [{ kind: 'delay', ms: 10_000 }, 504],
    ] as const) {
      const entry = entryIn(
        await issueTo(server, issuer, { statusList: { purpose: expected === 502 ? 'revocation' : 'suspension' } }),
      );
      cloud.signing.always(fault);
      const { status, body } = await fetchList(server, entry);
      expect({ status, message: body.message }).to.deep.equal({
        status: expected,
        message: 'The list cannot be signed now; try again',
      });
      const id = entry.statusListCredential.split('/').at(-1) ?? '';
      expect((await server.call('getStatusCredential', { path: { id } })).status).to.equal(expected);
      cloud.reset();
      server.clock.advance(5000);
      expect((await fetchList(server, entry)).status).to.equal(200);
    }
  });

  it('createStatusList 502 and 504: the key service is asked for the public key, and fails', async () => {
    const [cloud] = clouds.all;
    if (!cloud) throw new Error('There is no cloud');
    for (const [fault, expected] of [
      [{ kind: 'fail' }, 502],
      [{ kind: 'hang' }, 504],
    ] as const) {
      const key = { backend: cloud.backend, keyType: 'secp256r1', config: cloud.config() };
      const { issuerKey, issuerDid } = (await server.call('onboardIssuer', { json: { key } })).body;
      const { _publicKey: _, _keyType: __, ...bare } = issuerKey;
      cloud.signing.always(fault);
      const json = { issuerKey: { ...bare, config: { ...bare.config, auth: cloud.config().auth } }, issuerDid };
      expect((await server.call('createStatusList', { json })).status).to.equal(expected);
      cloud.reset();
    }
  });
});
