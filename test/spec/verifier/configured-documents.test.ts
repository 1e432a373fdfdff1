import { expect } from 'chai';
import { NodeCertificates } from '../../../adapters/crypto/certificates.ts';
import { draftIssuer } from '../../../composition/services/issuers.ts';
import { type Issuer, onboard } from '../../../demo/actors/issuer.ts';
import type { CredentialConfiguration } from '../../../domain/issuer/credential-configuration.ts';
import { MDL_DOCUMENT_SIGNER } from '../../../domain/x509/signer-profiles.ts';
import { licence, signerChain } from '../../actors/issuance-formats.ts';
import { newWalletUser, type WalletUser } from '../../actors/wallet-user.ts';
import { testFormats as formats } from '../../support/credentials/formats.ts';
import { iaca } from '../../support/credentials/mdoc-issuer.ts';
import { useServer } from '../../support/servers/server.ts';
import { authorityKeyId, usageExtension } from '../../support/trust/issuer-chains.ts';

type Json = Record<string, unknown>;

/** Documents of the operator: with elements that none must have, and without a word about them. */
const OWN = {
  Pass: {
    format: 'mso_mdoc',
    doctype: 'org.example.pass.1',
    claims: [{ path: ["org.example's", 'name'] }, { path: ["org.example's", 'title'] }],
    example: { mdocData: { "org.example's": { name: 'Ada', height: 170 } } },
  },
  Member: 'org.example.member.1',
};

describe('startVerification: every configured document by its type alone', () => {
  const server = useServer({ settings: { issuerMetadata: { supportedCredentialTypes: OWN } } });
  let issuer: Issuer;
  let holder: WalletUser;
  let x5Chain: string[];
  before(async () => {
    issuer = await onboard(server, { key: { keyType: 'secp256r1' } });
    holder = await newWalletUser(server);
    x5Chain = signerChain(issuer.issuerKey.jwk, {
      extensions: [usageExtension(MDL_DOCUMENT_SIGNER), authorityKeyId(iaca)],
    });
  });

  const configured = (): CredentialConfiguration[] => {
    const { configurations } = draftIssuer(
      { settings: server.settings, formats, certificates: new NodeCertificates() },
      'draft13',
    );
    return [...configurations.values()].filter(({ format }) => format === 'mso_mdoc');
  };

  /** The data of the example, from the country of the test's authority. */
  const dataOf = ({ example }: CredentialConfiguration): Json => {
    const data = example?.mdocData ?? { 'org.example.member.1': { name: 'Ada' } };
    return Object.fromEntries(
      Object.entries(data).map(([nameSpace, { issuing_country, ...elements }]) => [
        nameSpace,
        { ...elements, ...(issuing_country !== undefined && { issuing_country: 'UT' }) },
      ]),
    );
  };

  async function verified(link: string, credential: string): Promise<Json> {
    const json = { presentationRequest: link, selectedCredentials: [credential] };
    const { status, body } = await holder.call('presentCredentials', { json });
    expect(status, JSON.stringify(body)).to.equal(200);
    const state = new URL(link).searchParams.get('state') ?? '';
    return (await server.call('getVerificationResult', { path: { state } })).body;
  }

  it('200: is issued, requested, presented and verified, in the clear and encrypted', async () => {
    const all = configured();
    expect(all.map(({ type }) => type)).to.include.members([
      ...['eu.europa.ec.eudi.pid.1', 'org.iso.18013.5.1.mDL', 'org.iso.23220.photoid.1'],
      ...['org.example.pass.1', 'org.example.member.1'],
    ]);
    for (const configuration of all) {
      const { id, type: doc_type } = configuration;
      const json = licence(issuer, { x5Chain, credentialConfigurationId: id, mdocData: dataOf(configuration) });
      const { body: text } = await server.call('issueMdoc', { json });
      const [credential] = (await holder.call('acceptCredentialOffer', { text })).body;
      for (const openId4VPProfile of ['DEFAULT', 'ISO_18013_7_MDOC']) {
        const asked = {
          request_credentials: [{ doc_type, format: 'mso_mdoc' }],
          vp_policies: ['signature', 'presentation-definition'],
          trusted_root_cas: [iaca.pem],
        };
        const headers = { responseMode: 'direct_post', openId4VPProfile };
        const { status, body: link } = await server.call('startVerification', { json: asked, headers });
        expect(status, `${doc_type}: ${JSON.stringify(link)}`).to.equal(200);
        const { verificationResult, policyResults } = await verified(link, credential.id);
        expect(verificationResult, `${doc_type}: ${JSON.stringify(policyResults)}`).to.equal(true);
      }
    }
  });

  it('200: asks for the mandatory elements, or for all that the document has', async () => {
    const definitionOf = async (doc_type: string) => {
      const { body } = await server.call('startVerification', {
        json: { request_credentials: [{ doc_type, format: 'mso_mdoc' }] },
      });
      const path = { state: new URL(body).searchParams.get('state') ?? '' };
      return (await server.call('getPresentationDefinition', { path })).body.input_descriptors[0].constraints;
    };
    const photoId = await definitionOf('org.iso.23220.photoid.1');
    expect(photoId.limit_disclosure).to.equal('required');
    expect(photoId.fields).to.have.length(9);
    expect(photoId.fields[0]).to.deep.equal({
      path: ["$['org.iso.23220.1']['family_name_unicode']"],
      intent_to_retain: false,
    });
    const { fields } = await definitionOf('org.example.pass.1');
    expect(fields).to.deep.equal(
      ['name', 'title'].map((name) => ({
        path: [`$['org.example\\'s']['${name}']`],
        intent_to_retain: false,
        optional: true,
      })),
    );
    expect(await definitionOf('org.example.member.1')).to.deep.equal({ fields: [] });
  });

  it('400: a type that is not configured needs a descriptor that names its elements', async () => {
    const json = { request_credentials: [{ doc_type: 'org.example.unknown.1', format: 'mso_mdoc' }] };
    const { status, body } = await server.call('startVerification', { json });
    expect([status, body.details[0].path]).to.deep.equal([400, '/body/request_credentials/0/doc_type']);
    expect(body.details[0].message).to.match(/needs an input_descriptor.*eu\.europa\.ec\.eudi\.pid\.1/);
  });
});
