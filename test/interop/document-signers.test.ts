import { expect } from 'chai';
import { type Iaca, makeIaca, signerRequest } from '../../demo/actors/authority.ts';
import { derOfPem } from '../../domain/x509/pem.ts';
import { issueWith, MDL } from '../support/credentials/mdoc-issuer.ts';
import { localKeys } from '../support/keys/local-keys.ts';
import { useServer } from '../support/servers/server.ts';
import { mdlVerdict } from './mdl-verdict.ts';

const DOCUMENT = { [MDL.namespace]: { family_name: 'Doe', issuing_country: 'ZZ' } };
const ELEMENTS = { [MDL.namespace]: ['family_name', 'issuing_country'] };

describe('onboarded document signers before the verifiers of other projects', () => {
  const server = useServer();
  const { backends } = localKeys();

  async function issued(iaca: Iaca, keyType: string): Promise<string> {
    const json = signerRequest(iaca, { ecKeyGenRequestParams: { keyType } });
    const { body } = await server.call('onboardDocumentSigner', { json });
    const x5c = body.x5Chain.map((pem: string) => Buffer.from(derOfPem(pem) ?? []).toString('base64'));
    const signer = backends.signer(await backends.read(body.documentSignerKey));
    return issueWith(signer, { x5c, document: DOCUMENT });
  }

  it('@auth0/mdl verifies their mdocs with the onboarded authority as its only trust', async () => {
    for (const keyType of ['secp256r1', 'secp384r1', 'secp521r1']) {
      const iaca = await makeIaca(server, { keyType });
      const verdict = await mdlVerdict({
        text: await issued(iaca, keyType),
        authority: iaca.certificatePEM,
        elements: ELEMENTS,
      });
      expect(verdict, keyType).to.deep.equal({ elements: DOCUMENT });
    }
  });

  it('@auth0/mdl refuses them below another authority of the same name', async () => {
    const [iaca, other] = [await makeIaca(server), await makeIaca(server)];
    const verdict = await mdlVerdict({
      text: await issued(iaca, 'secp256r1'),
      authority: other.certificatePEM,
      elements: ELEMENTS,
    });
    expect(verdict).to.have.property('refusal').that.includes('certificate');
  });
});
