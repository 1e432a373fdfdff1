import { ask, member, textOf } from '../http-client.ts';

/** The document type of a photo ID and the namespace of its elements (ISO 23220). */
export const PHOTO_ID = { docType: 'org.iso.23220.photoid.1', namespace: 'org.iso.23220.1' } as const;
const NAMES = { country: 'AT', organizationName: 'Demo Authority' };

/** An authority whose document signer issues photo IDs as mdocs. */
export class DemoAuthority {
  /** The certificate that verifiers trust. */
  readonly certificate: string;
  readonly #url: string;
  readonly #signer: unknown;

  private constructor(parts: { url: string; certificate: string; signer: unknown }) {
    this.#url = parts.url;
    this.certificate = parts.certificate;
    this.#signer = parts.signer;
  }

  /** Creates the keys and certificates of an authority and of its document signer (ISO 18013-5 Annex B). */
  static async onboard(url: string): Promise<DemoAuthority> {
    const authority = {
      ...NAMES,
      commonName: 'Demo IACA',
      issuerAlternativeNameConf: { uri: 'https://authority.example.org' },
    };
    const { body } = await ask(`${url}/onboard/iso-mdl/iacas`, { json: { certificateData: authority } });
    const certificate = textOf(body, 'certificatePEM');
    const json = {
      iacaSigner: { iacaKey: member(body, 'iacaKey'), iacaPem: certificate },
      certificateData: {
        ...NAMES,
        commonName: 'Demo Document Signer',
        crlDistributionPointUri: 'https://authority.example.org/signers.crl',
      },
    };
    const { body: signer } = await ask(`${url}/onboard/iso-mdl/document-signers`, { json });
    return new DemoAuthority({ url, certificate, signer });
  }

  /** Creates an offer of a photo ID and returns its URL. */
  async offerPhotoId(): Promise<string> {
    const json = {
      issuerKey: member(this.#signer, 'documentSignerKey'),
      x5Chain: member(this.#signer, 'x5Chain'),
      credentialConfigurationId: PHOTO_ID.docType,
      mdocData: {
        [PHOTO_ID.namespace]: {
          family_name_unicode: 'Example',
          given_name_unicode: 'Alice',
          birth_date: '1990-01-31',
          age_over_18: true,
        },
      },
    };
    return textOf((await ask(`${this.#url}/openid4vc/mdoc/issue`, { json })).body);
  }
}
