import { expect } from 'chai';
import { makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { degree, type Issuer, onboard } from '../../../demo/actors/issuer.ts';
import { didDocument } from '../../../domain/dids/did-methods.ts';
import { HttpPeer } from '../../actors/http-peer.ts';
import { makeOffer } from '../../actors/issuance.ts';
import { accept } from '../../actors/wallet.ts';
import { useServer } from '../../support/servers/server.ts';

/** A key of the caller that signs under `issuerDid`. */
function stranger(issuerDid: string, holder = makeHolderKey()): Issuer {
  return { issuerDid, issuerKey: { type: 'jwk', jwk: { ...holder.privateKey.export({ format: 'jwk' }) } } };
}

describe('the DID that a key signs under', () => {
  const server = useServer();
  let host: HttpPeer;
  before(async () => {
    host = await new HttpPeer().listen();
  });
  after(() => host.close());

  const didOf = (name: string): string => `did:web:127.0.0.1%3A${new URL(host.url).port}:${name}`;
  /** Serves the document of a did:web that names the holder's key. */
  function publish(name: string, { jwk } = makeHolderKey()): string {
    const did = didOf(name);
    host.routes[`/${name}/did.json`] = () => ({ body: didDocument(did, jwk) });
    return did;
  }

  const issue = (issuer: Issuer, changes = {}) => server.call('issueJwtCredential', { json: degree(issuer, changes) });

  async function refused(issuer: Issuer, reason: RegExp): Promise<void> {
    const { status, body } = await issue(issuer);
    expect([status, body.details?.[0]?.path], issuer.issuerDid).to.deep.equal([400, '/body/issuerDid']);
    expect(body.message).to.match(reason);
  }

  it('issueJwtCredential 200: a did:web whose document names the key of the request', async () => {
    const holder = makeHolderKey();
    const issuer = stranger(publish('good', holder), holder);
    expect((await accept(server, await makeOffer(server, degree(issuer)))).status).to.equal(200);
  });

  it('issueJwtCredential 400: a DID that resolves to another key, or to none', async () => {
    await refused(stranger(makeHolderKey().did), /another key/);
    await refused(stranger(publish('other')), /another key/);
    await refused(stranger(didOf('nowhere')), /must resolve to issuerKey: .*404/);
    host.routes['/broken/did.json'] = () => ({ body: 'no document' });
    await refused(stranger(didOf('broken')), /must resolve to issuerKey/);
    await refused(stranger('did:web:127.0.0.1%3A1'), /must resolve to issuerKey/);
    await refused(stranger('did:web:169.254.169.254'), /must resolve to issuerKey/);
    await refused(stranger('did:cheqd:testnet:55dbc8bf'), /needs a resolver/);
    await refused(stranger('did:example:55dbc8bf'), /not supported/);
  });

  it('issueJwtCredential 200: a DID onboarded with its key needs no document; 400: not with another key or DID', async () => {
    const did = { method: 'web', config: { domain: 'nowhere.invalid' } };
    const issuer = await onboard(server, { key: { keyType: 'secp256r1' }, did });
    expect((await issue(issuer)).status).to.equal(200);
    await refused(stranger(issuer.issuerDid), /must resolve to issuerKey/);
    await refused({ ...issuer, issuerDid: 'did:web:elsewhere.invalid' }, /must resolve to issuerKey/);
    const other = await onboard(server, { did });
    expect((await issue(other)).status).to.equal(200);
  });

  it('issueJwtCredentialBatch: names the request whose DID has another key; resolves each DID once, and at most eight', async () => {
    const holder = makeHolderKey();
    const batch = (dids: string[]) =>
      server.call('issueJwtCredentialBatch', { json: dids.map((did) => degree(stranger(did, holder))) });
    const dids = Array.from({ length: 8 }, (_, number) => publish(`tenant-${number}`, holder));
    expect((await batch([...dids, ...dids, holder.did])).status).to.equal(200);
    expect(host.count('/tenant-3/did.json')).to.equal(1);
    const wrong = await batch([...dids.slice(0, 5), publish('wrong'), holder.did]);
    expect([wrong.status, wrong.body.details[0].path]).to.deep.equal([400, '/body/5/issuerDid']);
    const before = host.seen.length;
    const many = await batch([holder.did, ...dids, dids[0] ?? '', publish('ninth', holder)]);
    expect([many.status, many.body.details[0].path]).to.deep.equal([400, '/body/10/issuerDid']);
    expect(host.seen.length).to.equal(before);
  });
});
