import { expect } from 'chai';
import { NodeCertificates } from '../../../adapters/crypto/certificates.ts';
import { IssuerTrust } from '../../../domain/trust/issuer-trust.ts';
import type { ConfiguredList } from '../../../domain/trust/trust-lists.ts';
import { HttpPeer } from '../../actors/http-peer.ts';
import { testFormats } from '../../support/credentials/formats.ts';
import { guardedCalls } from '../../support/servers/guarded-calls.ts';
import { DAY, type TestCertificate } from '../../support/trust/certificates.ts';
import { noChains } from '../../support/trust/federation.ts';
import { documentSigner, iaca } from '../../support/trust/issuer-chains.ts';
import { jsonList, listSigner, MDL, makeVical, signJson } from '../../support/trust/trust-list-makers.ts';
import { testTrustLists } from '../../support/trust/trust-lists.ts';

describe('TrustLists', () => {
  const calls = guardedCalls();
  const root = iaca();
  const signers = [listSigner().pem];
  let peer: HttpPeer;
  let ms: number;

  beforeEach(async () => {
    peer = await new HttpPeer().listen();
    ms = Date.now();
    peer.routes['/vical'] = () => ({ body: makeVical({ entries: [{ certificate: root }] }) });
    peer.routes['/list'] = () => ({ body: signJson(jsonList({ services: [{ certificate: iaca(1) }] })) });
  });
  afterEach(() => peer.close());

  const clock = { now: () => ms };
  const lists = (configured: ConfiguredList[] = [], allow = ['127.0.0.0/8']) =>
    testTrustLists({ outbound: calls.guard({ allow }), clock, configured });
  const wanted = (path: string) => ({ kind: 'vical', source: `${peer.url}${path}`, signers }) as const;

  async function refusal(reading: Promise<unknown>): Promise<string> {
    try {
      await reading;
      return 'accepted';
    } catch (error) {
      return error instanceof Error ? error.message : '';
    }
  }

  it('fetches a list once for concurrent readers and keeps it for an hour, for each set of signers', async () => {
    const trustLists = lists();
    await Promise.all([trustLists.read(wanted('/vical')), trustLists.read(wanted('/vical'))]);
    ms += 3_599_000;
    expect((await trustLists.read(wanted('/vical'))).anchors).to.have.length(1);
    expect(peer.seen).to.have.length(1);
    expect(await refusal(trustLists.read({ ...wanted('/vical'), signers: [listSigner(1).pem] }))).to.match(
      /not signed/,
    );
    ms += 2000;
    await trustLists.read(wanted('/vical'));
    expect(peer.seen).to.have.length(3);
  });

  it('keeps a failure for half a minute', async () => {
    const trustLists = lists();
    for (let round = 0; round < 3; round += 1)
      expect(await refusal(trustLists.read(wanted('/none')))).to.match(/with 404/);
    expect(peer.seen).to.have.length(1);
    ms += 31_000;
    expect(await refusal(trustLists.read(wanted('/none')))).to.match(/with 404/);
    expect(peer.seen).to.have.length(2);
  });

  it('refuses addresses that the network guard refuses, and lists that are too large', async () => {
    expect(await refusal(lists([], []).read(wanted('/vical')))).to.match(/not allowed|refused|public/i);
    expect(peer.seen).to.have.length(0);
    peer.routes['/large'] = () => ({ body: Buffer.alloc(2 * 1024 * 1024 + 1) });
    expect(await refusal(lists().read(wanted('/large')))).to.not.equal('accepted');
  });

  describe('of the configuration', () => {
    const trust = (configured: ConfiguredList[]) =>
      new IssuerTrust({
        certificates: new NodeCertificates(),
        clock,
        formats: testFormats,
        configured: [],
        lists: lists(configured),
        acceptUnanchored: true,
        trustChains: noChains,
      });
    const judged = async (configured: ConfiguredList[], issuer: TestCertificate, type = MDL): Promise<string> => {
      const on = trust(configured);
      const reference = { kind: 'certificates', id: 'x', chain: [documentSigner(issuer).der] } as const;
      const decision = on.decide({ format: 'mso_mdoc', type, issuer: reference }, await on.anchors());
      return decision.trusted ? 'trusted' : `${decision.code}: ${decision.reason}`;
    };
    const vical = (path = '/vical'): ConfiguredList => ({ kind: 'vical', url: `${peer.url}${path}`, signers });
    const etsi = (path = '/list'): ConfiguredList => ({ kind: 'etsi', url: `${peer.url}${path}`, signers });

    it('their authorities are anchors, those of a VICAL for the listed document types', async () => {
      expect(await judged([vical(), etsi()], root)).to.equal('trusted');
      expect(await judged([vical(), etsi()], iaca(1))).to.equal('trusted');
      expect(await judged([vical(), etsi()], root, 'org.example')).to.match(/^chain-untrusted/);
      expect(await judged([etsi()], root)).to.match(/^chain-untrusted/);
    });

    it('a list that cannot be read, is out of date or names no issuer has no authorities, and nothing is accepted in place of it', async () => {
      const nextUpdate = new Date(ms - DAY);
      peer.routes['/old'] = () => ({ body: makeVical({ entries: [{ certificate: root }], members: { nextUpdate } }) });
      expect(await judged([vical('/none')], root)).to.match(/^no-trust-anchor: .*answered with 404/);
      expect(await judged([vical('/old')], root)).to.match(/^no-trust-anchor: .*out of date/);
      expect(await judged([vical('/old'), vical()], root)).to.equal('trusted');
      peer.routes['/empty'] = () => ({ body: signJson(jsonList({ services: [] })) });
      expect(await judged([etsi('/empty')], root)).to.match(/^no-trust-anchor: .*names no issuer now/);
    });

    it('a trusted authority of a query can be one of the ETSI lists', async () => {
      const on = trust([vical(), etsi()]);
      const authorities = [{ type: 'etsi_tl', values: [etsi().url] }];
      const { isBelow } = await on.check(authorities, []);
      const below = (issuer: TestCertificate) =>
        isBelow({ kind: 'certificates', id: 'x', chain: [documentSigner(issuer).der] }, authorities);
      expect([below(iaca(1)), below(root)]).to.deep.equal([true, false]);
      expect((await trust([etsi('/none')]).check(authorities, [])).isBelow).to.be.a('function');
    });
  });
});
