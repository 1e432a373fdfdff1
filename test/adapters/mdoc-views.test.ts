import { cborDecode } from '@owf/mdoc';
import { expect } from 'chai';
import { digest } from '../../domain/foundation/bytes.ts';
import { isDomainError } from '../../domain/foundation/errors.ts';
import { derOfPem } from '../../domain/x509/pem.ts';
import type { PresentationView } from '../../ports/credential-formats.ts';
import { testMdocs } from '../support/credentials/formats.ts';
import { deviceKey, documentSignerChain, issueMdoc, MDL, mdocSigner } from '../support/credentials/mdoc-issuer.ts';
import { presentMdocs } from '../support/credentials/mdoc-presenter.ts';

const { namespace, docType } = MDL;

describe('views of presented mdocs', () => {
  const issuedAt = Date.UTC(2026, 0, 2, 3, 4, 5);
  const dates = {
    signed: '2026-01-02T03:04:05Z',
    validFrom: '2026-01-02T03:04:05Z',
    validUntil: '2026-02-01T03:04:05Z',
  };
  const hash = Buffer.from(digest('sha256', 'transaction')).toString('base64url');

  async function presented(): Promise<{ text: string; leaf: string }> {
    const signer = await mdocSigner();
    const x5c = documentSignerChain(signer, { notBefore: new Date(issuedAt) });
    const issued = { issuedAt, validityDays: 30, transactionDataTypes: ['login'], x5c };
    const document = await issueMdoc({ ...issued, document: { [namespace]: { family_name: 'Doe', height: 180 } } });
    const text = await presentMdocs([], {
      credentials: [{ document, disclosed: [[namespace, 'family_name']] }],
      transactionData: { hashes: [hash], types: ['login'] },
    });
    return { text, leaf: x5c[0] ?? '' };
  }

  it('the simple view has the elements, certificates, dates and key of each document', async () => {
    const { text, leaf } = await presented();
    const view = await testMdocs.view(text, 'simple');
    const [{ certificateChain, deviceKey: key, ...document }] = view.documents as [
      { certificateChain: string[]; deviceKey: object },
    ];
    expect({ ...view, documents: [document] }).to.deep.equal({
      type: 'mso_mdoc_view_simple',
      version: '1.0',
      status: 0,
      documents: [{ docType, nameSpaces: { [namespace]: { family_name: 'Doe' } }, validityInfo: dates }],
    });
    expect(certificateChain.map((pem) => Buffer.from(derOfPem(pem) ?? '').toString('base64'))).to.deep.equal([leaf]);
    expect(key).to.deep.equal(deviceKey());
    expect(await testMdocs.view(JSON.stringify(text), 'simple')).to.deep.equal(view);
  });

  it('the verbose view has what the issuer and the device signed besides, and the text itself', async () => {
    const { text, leaf } = await presented();
    const view = await testMdocs.view(text, 'verbose');
    expect(view).to.include({ type: 'mso_mdoc_view_verbose', raw: text, version: '1.0', status: 0 });
    const at = (path: string) => expect(view).to.have.nested.property(`documents[0].${path}`);
    at('docType').equal(docType);
    at('issuerSigned.issuerAuth.x5c').deep.equal([leaf]);
    at('issuerSigned.issuerAuth.algorithm').equal(-7);
    at('issuerSigned.issuerAuth.protectedHeader').deep.equal({ 1: -7 });
    at('issuerSigned.issuerAuth.payload').include({ docType, version: '1.0', digestAlgorithm: 'SHA-256' });
    at('issuerSigned.issuerAuth.payload.validityInfo').deep.equal(dates);
    at('issuerSigned.issuerAuth.payload.deviceKeyInfo').deep.equal({
      deviceKey: deviceKey(),
      keyAuthorizations: { dataElements: { login: ['transaction_data_hash', 'transaction_data_hash_alg'] } },
    });
    at('deviceSigned.nameSpaces').deep.equal({ login: { transaction_data_hash: hash } });
    at('deviceSigned.deviceAuth.deviceSignature').include({ algorithm: -7 });
    const { documents } = view as PresentationView & { documents: [{ issuerSigned: Signed }] };
    const { nameSpaces, issuerAuth } = documents[0].issuerSigned;
    expect(nameSpaces[namespace]).to.have.length(1);
    expect(nameSpaces[namespace]?.[0]).to.include({ elementIdentifier: 'family_name', elementValue: 'Doe' });
    const id = nameSpaces[namespace]?.[0]?.digestID ?? -1;
    const digests = issuerAuth.payload.valueDigests[namespace] ?? {};
    expect(Object.keys(digests)).to.have.length(2).and.to.include(String(id));
    const response = cborDecode(Buffer.from(text, 'base64url')) as Map<string, Map<string, unknown>[]>;
    expect(response.get('documents')).to.have.length(1);
  });

  it('shows nothing of what is no response', async () => {
    for (const text of ['e30', await issueMdoc()]) {
      const refusal = await testMdocs.view(text, 'simple').catch((error) => error);
      expect(isDomainError(refusal, 'BadRequest')).to.equal(true);
    }
  });
});

interface Signed {
  nameSpaces: Record<string, { digestID: number; elementIdentifier: string; elementValue: unknown }[]>;
  issuerAuth: { payload: { valueDigests: Record<string, Record<string, string>> } };
}
