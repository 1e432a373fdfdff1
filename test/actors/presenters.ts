import { randomUUID, sign } from 'node:crypto';
import { didJwk } from '../../domain/dids/did-methods.ts';
import { KEY_TYPES } from '../../domain/jose/key-types.ts';
import type { CredentialContent, Handover } from '../../ports/credential-formats.ts';
import type { PublicJwk, Signer } from '../../ports/key-service.ts';
import { testFormats } from '../support/credentials/formats.ts';
import { pemOf, type TestKeys, testKeys } from '../support/trust/certificates.ts';
import { documentSigner, iaca } from '../support/trust/issuer-chains.ts';
import type { WalletRequest } from './wallet.ts';

type Json = Record<string, unknown>;

/** The formats that can be asked for by their names in requests. */
export const REQUESTED_FORMATS = ['jwt_vc_json', 'jwt_vc', 'vc+sd-jwt', 'dc+sd-jwt', 'mso_mdoc'] as const;
export type RequestedFormat = (typeof REQUESTED_FORMATS)[number];

/** A presentation and what the submission says of it, for its place in the `vp_token`. */
export interface MadePresentation {
  token: string;
  entry: (path: string) => Json;
}

/** A driving licence and the certificate that its issuer is trusted by. */
export const LICENCE = 'org.iso.18013.5.1.mDL';
const AUTHORITY = iaca();
const DOCUMENT_SIGNER = documentSigner(AUTHORITY);
export const TRUSTED_ROOT = pemOf(AUTHORITY.der);

const jwkOf = ({ publicKey }: TestKeys): PublicJwk => publicKey.export({ format: 'jwk' }) as PublicJwk;

const signerOf = (keys: TestKeys): Signer => ({
  keyType: 'secp256r1',
  publicJwk: jwkOf(keys),
  sign: async (data) => sign(KEY_TYPES.secp256r1.digest, data, { key: keys.privateKey, dsaEncoding: 'ieee-p1363' }),
});

/** Who presents: a DID and the key that it contains. */
export interface Presenter {
  did: string;
  kid: string;
  signer: Signer;
}

const presenterOf = (seed: number): Presenter => {
  const signer = signerOf(testKeys('P-256', seed));
  const did = didJwk(signer.publicJwk);
  return { did, kid: `${did}#0`, signer };
};

/** The holder of every credential of these tests, and another party. */
export const [HOLDER, OTHER] = [presenterOf(62), presenterOf(63)] as const;

const issuer = signerOf(testKeys('P-256', 61));
const { did: holderDid } = HOLDER;
const issuerDid = didJwk(issuer.publicJwk);

/** What every credential of these tests says. */
const facts = (changes: Partial<CredentialContent>): CredentialContent => ({
  document: {},
  issuer: issuerDid,
  holder: { did: holderDid, jwk: HOLDER.signer.publicJwk },
  claims: {},
  issuedAt: Math.floor(Date.now() / 1000) * 1000,
  kid: `${issuerDid}#0`,
  ...changes,
});

const IDENTITY = 'https://types.example/identity';

const sdJwt = (claims: Json = {}): Partial<CredentialContent> => ({
  type: IDENTITY,
  document: { family_name: 'Lovelace', birthdate: '1815-12-10', country: 'GB', ...claims },
  selectiveDisclosure: { fields: { family_name: { sd: true }, birthdate: { sd: true } } },
});

/** The namespace of a driving licence. */
export const MDL_NAMESPACE = 'org.iso.18013.5.1';

const LICENCE_ELEMENTS: Json = {
  family_name: 'Lovelace',
  given_name: 'Ada',
  birth_date: '1985-12-10',
  issue_date: '2024-01-02',
  expiry_date: '2034-01-02',
  issuing_country: 'ZZ',
  issuing_authority: 'Example',
  document_number: '1815',
  portrait: '_9j_',
  driving_privileges: [{ vehicle_category_code: 'B' }],
  un_distinguishing_sign: 'ZZ',
};

/** The mandatory elements of a driving licence (ISO 18013-5 §7.2.1), with more or others. */
export const licenceElements = (changes: Json = {}): Json => ({ ...LICENCE_ELEMENTS, ...changes });

interface FormatRow {
  content: Partial<CredentialContent>;
  signer: Signer;
  requested: Json;
  /** What the submission says. */
  entry: (id: string, path: string) => Json;
}

const ofJwt = (format: 'jwt_vc_json' | 'jwt_vc'): FormatRow => ({
  content: {
    document: {
      '@context': ['https://www.w3.org/2018/credentials/v1'],
      type: ['VerifiableCredential', 'Degree'],
      credentialSubject: { id: holderDid },
    },
  },
  signer: issuer,
  requested: { format, type: 'Degree' },
  entry: (id, path) => ({
    ...{ id, path, format: format === 'jwt_vc' ? 'jwt_vp' : 'jwt_vp_json' },
    path_nested: { id, format, path: '$.vp.verifiableCredential[0]' },
  }),
});

const ofSdJwt = (format: RequestedFormat): FormatRow => ({
  content: sdJwt(),
  signer: issuer,
  requested: { format, vct: IDENTITY },
  entry: (id, path) => ({ id, path, format }),
});

/** The formats of these tests: a credential, how it is asked for, and how it is submitted. */
const ROWS: Readonly<Record<RequestedFormat, FormatRow>> = {
  jwt_vc_json: ofJwt('jwt_vc_json'),
  jwt_vc: ofJwt('jwt_vc'),
  'vc+sd-jwt': ofSdJwt('vc+sd-jwt'),
  'dc+sd-jwt': ofSdJwt('dc+sd-jwt'),
  mso_mdoc: {
    content: {
      type: LICENCE,
      document: { [MDL_NAMESPACE]: LICENCE_ELEMENTS },
      x5c: [Buffer.from(DOCUMENT_SIGNER.der).toString('base64')],
    },
    signer: signerOf(DOCUMENT_SIGNER.keys),
    requested: { format: 'mso_mdoc', doc_type: LICENCE },
    entry: (id, path) => ({ id, path, format: 'mso_mdoc' }),
  },
};

/** The element of `request_credentials` that asks for the credential of a format. */
export const requestedOf = (format: RequestedFormat): Json => ROWS[format].requested;

/** Issues a credential of a format; `changes` replaces members of its content, and `by` its signer. */
export const issueOf = (
  format: RequestedFormat,
  changes: Partial<CredentialContent> = {},
  by = ROWS[format].signer,
): Promise<string> => testFormats.get(format).codec.issue(facts({ ...ROWS[format].content, ...changes }), by);

/** The nonce of the wallet that presentations of mdocs are bound to. */
export const MDOC_NONCE = 'nonce of the wallet';

/** Presents credentials of one format by our own codec; `bound` replaces what the presentation is bound to. */
export async function presentOf(
  format: RequestedFormat,
  { clientId, nonce, params }: WalletRequest,
  {
    documents,
    disclosed,
    holder = HOLDER,
    ...bound
  }: {
    documents?: string[];
    disclosed?: string[][];
    holder?: Presenter;
    nonce?: string;
    audience?: string;
    mdocNonce?: string;
    kind?: 'redirect';
    now?: number;
  } = {},
): Promise<MadePresentation & { documents: string[] }> {
  const credentials = documents ?? [await issueOf(format)];
  const responseUri = params.get('response_uri') ?? '';
  const isInClear = params.get('response_mode') === 'direct_post';
  const wallet = isInClear ? {} : { mdocNonce: MDOC_NONCE };
  const handover: Handover = { kind: 'draft', clientId, responseUri, nonce, ...wallet, ...bound };
  const token = await testFormats.presentable(format).presentations.present(
    {
      id: `urn:uuid:${randomUUID()}`,
      credentials: credentials.map((document) => ({ document, ...(disclosed && { disclosed }) })),
      holder,
      nonce,
      audience: clientId,
      handover,
      now: Date.now(),
      ...bound,
    },
    holder.signer,
  );
  return { token, documents: credentials, entry: (path) => ROWS[format].entry(idOf(format), path) };
}

/** The id of the generated descriptor. */
const idOf = (format: RequestedFormat): string => {
  const { type, vct, doc_type: docType } = ROWS[format].requested;
  return String(type ?? vct ?? docType);
};

/** The parameters of a response with these presentations. */
export function responseOf(made: readonly MadePresentation[], { state }: WalletRequest): Json {
  const [only, ...more] = made;
  const isList = more.length > 0;
  const entries = made.map(({ entry }, index) => entry(isList ? `$[${index}]` : '$'));
  return {
    vp_token: isList ? made.map(({ token }) => token) : only?.token,
    presentation_submission: { id: 'submission', definition_id: 'definition', descriptor_map: entries },
    state,
  };
}
