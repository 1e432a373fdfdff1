import { randomUUID } from 'node:crypto';
import { cborDecode, cborEncode } from '@owf/mdoc';
import { expect } from 'chai';
import { encryptedResponse } from '../../actors/encrypted-response.ts';
import {
  issueOf,
  LICENCE,
  licenceElements,
  MDL_NAMESPACE,
  MDOC_NONCE,
  presentOf,
  responseOf,
  TRUSTED_ROOT,
} from '../../actors/presenters.ts';
import { VerificationFixture } from '../../actors/verification.ts';
import { readRequest, responseKeyOf } from '../../actors/wallet.ts';

type Elements = Record<string, unknown>;
type Members = Map<string, unknown>;

/** What is issued: the mandatory elements alone, and with others. */
const ISSUED: Record<string, Elements> = {
  alone: {},
  'and one age': { age_over_18: true },
  'and three ages': { age_over_18: true, age_over_24: true, age_over_60: false },
  'and optional elements': { age_over_18: true, height: 170, eye_colour: 'brown', resident_city: 'Example' },
};

/** What is asked for. */
const ASKED: Record<string, string[]> = {
  'all mandatory elements': Object.keys(licenceElements()),
  'three dates': ['birth_date', 'issue_date', 'expiry_date'],
  'an age and two dates': ['age_over_18', 'issue_date', 'expiry_date'],
};

const decoded = (text: string): Members => cborDecode(Buffer.from(text, 'base64url')) as Members;

describe('submitPresentation: elements of driving licences', () => {
  const on = new VerificationFixture();

  /** Asks for elements by a descriptor of the test, as a profile of ISO/IEC TS 18013-7. */
  async function asking(names: string[]) {
    const fields = names.map((name) => ({ path: [`$['${MDL_NAMESPACE}']['${name}']`], intent_to_retain: false }));
    const input_descriptor = {
      id: LICENCE,
      format: { mso_mdoc: { alg: ['ES256'] } },
      constraints: { limit_disclosure: 'required', fields },
    };
    const json = {
      request_credentials: [{ format: 'mso_mdoc', input_descriptor }],
      trusted_root_cas: [TRUSTED_ROOT],
      openid_profile: 'ISO_18013_7_MDOC',
    };
    const headers = { responseMode: 'direct_post.jwt', stateId: randomUUID() };
    const { status, body } = await on.server.call('startVerification', { json, headers });
    expect(status, JSON.stringify(body)).to.equal(200);
    return on.resolve(readRequest(body));
  }

  /** Presents elements of a licence to a request for them. */
  async function present(document: string, asked: string[], shown = asked) {
    const request = await asking(asked);
    const disclosed = shown.map((name) => [MDL_NAMESPACE, name]);
    const made = await presentOf('mso_mdoc', request, { documents: [document], disclosed });
    const response = await encryptedResponse(responseOf([made], request), responseKeyOf(request), { apu: MDOC_NONCE });
    const path = { state: request.state };
    const { status } = await on.server.call('submitPresentation', { path, form: { response } });
    const session = await on.session(request);
    return { status, session, token: made.token };
  }

  for (const [what, more] of Object.entries(ISSUED))
    it(`200: exactly what is asked for is shown, of a licence with the mandatory elements ${what}`, async () => {
      const elements = licenceElements(more);
      const document = await issueOf('mso_mdoc', { document: { [MDL_NAMESPACE]: elements } });
      for (const asked of Object.values(ASKED)) {
        const shown = asked.filter((name) => Object.hasOwn(elements, name));
        const isWhole = shown.length === asked.length;
        const { status, session, token } = await present(document, asked, shown);
        const got = [status, session.verificationResult];
        expect(got, JSON.stringify(session.policyResults)).to.deep.equal(isWhole ? [200, true] : [400, false]);
        if (!isWhole) continue;
        const mdoc = decoded(session.tokenResponse.vp_token);
        expect(session.tokenResponse.vp_token).to.equal(token);
        expect([mdoc.get('version'), mdoc.get('status')]).to.deep.equal(['1.0', 0]);
        const documents = mdoc.get('documents') as [Members];
        expect(documents).to.have.length(1);
        const [one] = documents;
        const { nameSpaces, issuerAuth } = Object.fromEntries(one.get('issuerSigned') as Members);
        expect((nameSpaces as Map<string, unknown[]>).get(MDL_NAMESPACE)).to.have.length(asked.length);
        const issued = cborEncode(decoded(document).get('issuerAuth'));
        expect(Buffer.from(cborEncode(issuerAuth)).equals(Buffer.from(issued)), 'what the issuer signed').to.equal(
          true,
        );
        const deviceAuth = (one.get('deviceSigned') as Members).get('deviceAuth') as Members;
        expect([...deviceAuth.keys()]).to.deep.equal(['deviceSignature']);
      }
    });

  it('400: one element less than asked for, and one more', async () => {
    const document = await issueOf('mso_mdoc');
    const asked = ['birth_date', 'issue_date'];
    for (const shown of [['birth_date'], [...asked, 'portrait']]) {
      const { status, session } = await present(document, asked, shown);
      expect([status, session.verificationResult], shown.join()).to.deep.equal([400, false]);
    }
  });
});
