import { expect } from 'chai';
import { decodeJwt } from '../../actors/wallet.ts';
import { judgeMdoc, judgeSdJwt } from './judge.ts';
import { type HaipIssuer, PLAIN, startHaipIssuer, titleOf, VARIANTS, type Variant, WalletFlow } from './wallet-flow.ts';

describe('OpenID conformance suite, HAIP plan for issuers, OpenID4VCI: credentials', () => {
  let issuer: HaipIssuer;
  before(async () => {
    issuer = await startHaipIssuer();
  });
  after(() => issuer.issuance.close());

  const now = () => issuer.issuance.server.clock.now();

  /** Judges the credentials of an answer: one for each key. */
  async function judged(flow: WalletFlow, { format }: Variant, answer: Awaited<ReturnType<WalletFlow['request']>>) {
    expect(answer.headers.has('date')).to.equal(true);
    expect(answer.headers.get('cache-control')).to.match(/no-store/);
    const body = await flow.members(answer);
    expect(body).to.have.all.keys('credentials', 'notification_id');
    expect(body.credentials).to.have.length(flow.holders.length);
    for (const [index, { credential }] of body.credentials.entries()) {
      const [holder] = flow.holders.slice(index);
      if (!holder) throw new Error('There are more credentials than keys');
      if (format === 'mdoc') judgeMdoc(credential, holder);
      else judgeSdJwt(credential, holder, now());
    }
    return body;
  }

  describe('oid4vci-1_0-issuer-happy-flow', () => {
    for (const variant of VARIANTS)
      it(`VCIIssuerHappyFlow (${titleOf(variant)}): the credential is issued, and its storing is reported`, async () => {
        const flow = new WalletFlow(issuer, variant);
        const token = await flow.token();
        const { notification_id } = await judged(flow, variant, await flow.request(token));
        expect((await flow.notify(token, notification_id)).status).to.be.within(200, 299);
      });
  });

  describe('oid4vci-1_0-issuer-happy-flow-additional-requests', () => {
    it('VCIIssuerHappyFlowAdditionalRequests: the same token gets the credential again, with other headers', async () => {
      const flow = new WalletFlow(issuer, PLAIN);
      const token = await flow.token();
      const first = await judged(flow, PLAIN, await flow.request(token));
      await flow.notify(token, first.notification_id);
      const requests: Record<string, string>[] = [
        { accept: 'application/json; charset=utf-8', 'x-fapi-customer-ip-address': '2001:db8::1' },
        { accept: 'application/json, application/*;q=0.9, */*;q=0.8', 'x-fapi-interaction-id': 'c770aef3' },
      ];
      for (const headers of requests) {
        const again = await judged(flow, PLAIN, await flow.request(token, { headers }));
        expect(again).to.deep.equal(first);
      }
    });
  });

  describe('oid4vci-1_0-issuer-happy-flow-multiple-clients', () => {
    it('VCIIssuerHappyFlowMultipleClients: two clients get credentials of their own, one after the other', async () => {
      const [one, two] = ['https://wallet.example', 'https://second-wallet.example'].map(
        (clientId) => new WalletFlow(issuer, PLAIN, { clientId }),
      ) as [WalletFlow, WalletFlow];
      const credentials = [];
      for (const [flow, state] of [
        [one, 'a'.repeat(10)],
        [two, 'b'.repeat(128)],
      ] as const) {
        const returned = await flow.wallet.returned({ ...(await flow.parameters()), state });
        expect(returned.get('state')).to.equal(state);
        const { body } = await flow.wallet.redeem(returned.get('code') ?? '');
        credentials.push(...(await judged(flow, PLAIN, await flow.request(body.access_token))).credentials);
      }
      const [a, b] = credentials.map(({ credential }) => credential);
      expect(a).to.not.equal(b);
      const other = await one.token();
      expect((await two.request(other)).status).to.equal(401);
    });
  });

  describe('oid4vci-1_0-issuer-happy-flow-skip-notification', () => {
    it('VCIIssuerHappyFlowWithSkipNotification: nothing is amiss without a notification', async () => {
      const flow = new WalletFlow(issuer, PLAIN);
      await judged(flow, PLAIN, await flow.request(await flow.token()));
      await judged(flow, PLAIN, await flow.request(await flow.token()));
    });
  });

  describe('oid4vci-1_0-issuer-batch-issuance', () => {
    for (const format of ['sd_jwt_vc', 'mdoc'] as const)
      it(`VCIIssuerBatchIssuance (${format}): as many credentials as keys, of the same data and not to be linked`, async () => {
        const { body } = await issuer.issuance.server.call('getOpenid4vciIssuerMetadata');
        const size = body.batch_credential_issuance.batch_size;
        expect(size).to.be.at.least(2);
        const variant = { ...PLAIN, format };
        const flow = new WalletFlow(issuer, variant, { keys: Math.min(size, 20) });
        const { credentials } = await judged(flow, variant, await flow.request(await flow.token()));
        if (format === 'mdoc') return;
        const all = credentials.map(({ credential }: { credential: string }) => readSdJwt(credential));
        const distinct = (values: unknown[]) => new Set(values.map((value) => JSON.stringify(value))).size;
        const members = (name: string) => all.map((one: Record<string, unknown>) => one[name]);
        expect(distinct(members('key'))).to.equal(flow.holders.length);
        expect(distinct(members('index'))).to.equal(flow.holders.length);
        expect(distinct(members('salts'))).to.equal(flow.holders.length);
        expect(distinct(members('data'))).to.equal(1);
        const indices: number[] = members('index');
        const steps = indices.slice(1).map((index, place) => index - (indices[place] ?? 0));
        expect(distinct(steps)).to.be.greaterThan(1);
      });
  });
});

/** What credentials of one batch have in common, and what must differ. */
function readSdJwt(text: string) {
  const [jwt = '', ...disclosures] = text.split('~').slice(0, -1);
  const { claims } = decodeJwt(jwt);
  const { cnf, status, _sd: _, iat: __, exp: ___, ...open } = claims;
  const read = disclosures.map((one) => JSON.parse(Buffer.from(one, 'base64url').toString()));
  const data = [open, read.map(([, ...rest]) => rest)];
  return { key: cnf.jwk.x, index: status.status_list.idx, salts: read.map(([salt]) => salt), data };
}
