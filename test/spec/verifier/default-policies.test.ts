import { expect } from 'chai';
import {
  issueOf,
  type MadePresentation,
  presentOf,
  type RequestedFormat,
  requestedOf,
  responseOf,
} from '../../actors/presenters.ts';
import { VerificationFixture } from '../../actors/verification.ts';

// biome-ignore lint/suspicious/noExplicitAny: requests have any member
type Json = Record<string, any>;

describe('startVerification: the policies of a request that lists none', () => {
  const on = new VerificationFixture();

  /** The session after a credential of each of these formats was presented; an SD-JWT VC has expired. */
  async function outcome(formats: RequestedFormat[], more: Json = {}) {
    const request = await on.ask({ request_credentials: formats.map(requestedOf), ...more });
    const expired = { claims: { exp: Math.floor(on.server.clock.now() / 1000) - 3600 } };
    const made: MadePresentation[] = [];
    for (const format of formats) {
      const document = await issueOf(format, format.endsWith('sd-jwt') ? expired : {});
      made.push(await presentOf(format, request, { documents: [document] }));
    }
    const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
    const form = Object.fromEntries(
      Object.entries(responseOf(made, request)).map(([name, value]) => [name, text(value)]),
    );
    await on.server.call('submitPresentation', { path: { state: request.state }, form });
    const { verificationResult, policyResults } = await on.session(request);
    const lines: string[][] = policyResults.results.map(({ policies }: Json) =>
      policies.map(({ policy }: Json) => policy),
    );
    return { verificationResult, lines };
  }

  const SIGNATURE = ['signature'];

  for (const format of ['vc+sd-jwt', 'dc+sd-jwt'] as const)
    it(`signature for ${format} and its presentation, which is accepted alone as beside a W3C credential`, async () => {
      const alone = await outcome([format]);
      expect(alone).to.deep.equal({ verificationResult: true, lines: [SIGNATURE, SIGNATURE] });
      const beside = await outcome(['jwt_vc_json', format]);
      expect(beside).to.deep.equal({
        verificationResult: true,
        lines: [SIGNATURE, SIGNATURE, SIGNATURE, SIGNATURE],
      });
    });

  it('one list has its default where only the other is given', async () => {
    const { lines } = await outcome(['vc+sd-jwt'], { vc_policies: ['signature', 'not-before'] });
    expect(lines).to.deep.equal([SIGNATURE, ['signature', 'not-before']]);
  });

  it('signature_sd-jwt-vc by its name refuses what has expired', async () => {
    const { verificationResult } = await outcome(['vc+sd-jwt'], { vp_policies: ['signature_sd-jwt-vc'] });
    expect(verificationResult).to.equal(false);
  });
});
