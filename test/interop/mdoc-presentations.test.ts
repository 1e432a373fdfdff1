import { cborEncode } from '@owf/mdoc';
import { expect } from 'chai';
import { sessionTranscript } from '../../adapters/formats/mdoc/session-transcript.ts';
import type { Handover } from '../../ports/credential-formats.ts';
import { testMdocs } from '../support/credentials/formats.ts';
import { deviceKey, iaca, issueMdoc, MDL } from '../support/credentials/mdoc-issuer.ts';
import { type DeviceCurve, deviceSigner, HANDOVERS, presentMdocs } from '../support/credentials/mdoc-presenter.ts';
import { mdlPresentation, mdlPresentationVerdict } from './mdl-verdict.ts';

const LICENCE = { [MDL.namespace]: { family_name: 'Doe', given_name: 'Jürgen', age_over_18: true } };
const SHOWN = { [MDL.namespace]: { family_name: 'Doe', age_over_18: true } };
const ELEMENTS = { [MDL.namespace]: ['family_name', 'age_over_18'] };
const DISCLOSED = [
  [MDL.namespace, 'family_name'],
  [MDL.namespace, 'age_over_18'],
];
const KEYS = { dids: { key: () => Promise.reject(new Error('none')) }, issuers: { keys: async () => [] } };
const [DRAFT] = HANDOVERS as [Handover & { kind: 'draft' }];

describe('presented mdocs and @auth0/mdl', () => {
  it('verifies our responses, signed with each type of key of a device in each kind of exchange', async () => {
    const curves: DeviceCurve[] = ['P-256', 'P-384', 'P-521', 'Ed25519'];
    for (const [index, curve] of curves.entries()) {
      const handover = HANDOVERS[index];
      const document = await issueMdoc({ document: LICENCE, holder: { jwk: deviceKey(curve) } });
      const credentials = [{ document, disclosed: DISCLOSED }];
      const response = await presentMdocs([], { handover, credentials }, deviceSigner(curve));
      const transcript = sessionTranscript(handover as Handover, { cborEncode });
      const asked = { response, authority: iaca.pem, elements: ELEMENTS };
      expect(await mdlPresentationVerdict({ ...asked, transcript }), curve).to.deep.equal({ elements: SHOWN });
      if (index > 0) continue;
      expect(await mdlPresentationVerdict({ ...asked, transcript: [null, null, []] })).to.have.property('refusal');
    }
  });

  it('makes responses that we verify', async () => {
    const text = await issueMdoc({ document: LICENCE });
    const transcript = sessionTranscript(DRAFT, { cborEncode });
    const response = await mdlPresentation({ text, authority: iaca.pem, elements: ELEMENTS }, transcript);
    const presented = await testMdocs.parsePresentation(response);
    const challenge = { ...KEYS, nonce: DRAFT.nonce, audience: DRAFT.clientId, now: Date.now(), maxAgeMs: 300_000 };
    expect(await presented.verifyHolder({ ...challenge, handover: DRAFT })).to.deep.equal({ valid: true });
    const other: Handover = { ...DRAFT, nonce: 'another' };
    expect(await presented.verifyHolder({ ...challenge, handover: other })).to.include({ valid: false });
    expect(presented.credentials.map(({ claims }) => claims)).to.deep.equal([SHOWN]);
    expect(await presented.credentials[0]?.verifyIssuer(KEYS)).to.deep.equal({ valid: true });
  });
});
