import { MDL } from '../../support/credentials/mdoc-issuer.ts';
import { type Change, type Json, type Method, ORIGIN, otherHash } from './verifier.ts';

/** The formats of the plans, each with what is asked for. */
export const FORMATS = {
  sd_jwt_vc: {
    format: 'dc+sd-jwt',
    query: {
      ...{ id: 'q', format: 'dc+sd-jwt', meta: { vct_values: ['urn:card:1'] } },
      claims: [{ path: ['address', 'street'] }],
    },
  },
  iso_mdl: {
    format: 'mso_mdoc',
    query: {
      ...{ id: 'q', format: 'mso_mdoc', meta: { doctype_value: MDL.docType } },
      claims: [{ path: [MDL.namespace, 'age_over_18'] }],
    },
  },
} as const;
/** The name of a format. */
export type Format = keyof typeof FORMATS;

/** One combination of the plans. */
export interface Variant {
  format: Format;
  method: Method;
  mode: string;
}

const METHODS: [Method, string][] = [
  ['request_uri_signed', 'direct_post.jwt'],
  ['request_uri_signed', 'direct_post'],
  ['url_query', 'direct_post'],
  ['page_unsigned', 'dc_api'],
  ['page_signed', 'dc_api.jwt'],
  ['page_multisigned', 'dc_api.jwt'],
];
/** The combinations. */
export const VARIANTS = (Object.keys(FORMATS) as Format[]).flatMap((format) =>
  METHODS.map(([method, mode]): Variant => ({ format, method, mode })),
);

/** Whether a page asks. */
export const isPage = ({ method }: Variant): boolean => method.startsWith('page');
const isSigned = ({ method }: Variant): boolean => method !== 'url_query' && method !== 'page_unsigned';
const isFetched = ({ method }: Variant): boolean => method === 'request_uri_signed';
const hasAddress = (variant: Variant): boolean => !isPage(variant);

/** The parameters of the usual request of a variant, and what the module knows besides. */
interface Usual {
  parameters: Json;
  query: Json;
  nowMs: number;
}

/** A module, or a case of ours. */
export interface Module {
  name: string;
  applies?: (variant: Variant) => boolean;
  change?: (usual: Usual) => Change;
  /** What the verifier answers with. */
  reply?: Json;
  /** Why the wallet refuses; it presents when absent. */
  refusal?: RegExp;
}

const seconds = (ms: number): number => Math.floor(ms / 1000);
const unknownTransaction = (): Json => ({
  transaction_data: [Buffer.from('{"type":"unknown","credential_ids":["q"]}').toString('base64url')],
});
const NEGATIVE = 'negative-test-';

/** The modules of `oid4vp-1final-wallet-*` by what follows this name; those with an asterisk are ours. */
export const MODULES: Module[] = [
  { name: 'happy-flow-no-state' },
  {
    name: 'happy-flow-with-state-and-redirect',
    applies: hasAddress,
    change: () => ({ claims: { state: 's'.repeat(64) } }),
    reply: { redirect_uri: 'https://verifier.example.com/done' },
  },
  {
    name: 'alternate-happy-flow',
    change: ({ parameters: { client_metadata: metadata } }) => {
      const { use: _, ...key } = metadata.jwks?.keys[0] ?? {};
      const client_metadata = metadata.jwks ? { ...metadata, jwks: { keys: [key] } } : metadata;
      return { claims: { client_metadata, nonce: 'n'.repeat(32), unknown_parameter: 'x' } };
    },
  },
  { name: 'request-uri-method-post', applies: isFetched, change: () => ({ link: { request_uri_method: 'post' } }) },
  {
    name: 'no-claims-in-dcql-query',
    change: ({ query: { claims: _, ...query } }) => ({ claims: { dcql_query: { credentials: [query] } } }),
  },
  {
    name: 'optional-credential-set',
    change: ({ query }) => {
      const missing = { id: 'other', format: 'dc+sd-jwt', meta: { vct_values: ['urn:none'] } };
      const credential_sets = [{ options: [['q']] }, { options: [['other']], required: false }];
      return { claims: { dcql_query: { credentials: [query, missing], credential_sets } } };
    },
  },
  {
    name: 'ignores-unusable-encryption-key',
    applies: ({ mode }) => mode.endsWith('.jwt'),
    change: ({ parameters: { client_metadata: metadata } }) => {
      const unusable = [
        { kty: 'AKP', alg: 'ML-KEM-768', use: 'enc', pub: 'AA' },
        { kty: 'made-up', use: 'enc' },
      ];
      return { claims: { client_metadata: { ...metadata, jwks: { keys: [...unusable, ...metadata.jwks.keys] } } } };
    },
  },
  {
    name: 'multisigned-one-invalid-signature',
    applies: ({ method }) => method === 'page_multisigned',
    change: () => ({ object: (text) => `${text.slice(0, 10)}${text[10] === 'A' ? 'B' : 'A'}${text.slice(11)}` }),
  },
  {
    name: `${NEGATIVE}response-uri-not-client-id`,
    applies: ({ method }) => method === 'url_query',
    change: () => ({ claims: { response_uri: 'https://evil.example/response' } }),
    refusal: /response_uri is not that of the client_id/,
  },
  {
    name: `${NEGATIVE}invalid-request-object-signature`,
    applies: (variant) => isSigned(variant) && variant.method !== 'page_multisigned',
    change: () => ({ object: (text) => `${text.slice(0, -10)}${text.at(-10) === 'A' ? 'B' : 'A'}${text.slice(-9)}` }),
    refusal: /signature of the request object is not valid/,
  },
  {
    name: `${NEGATIVE}invalid-request-object-typ`,
    applies: isSigned,
    change: () => ({ header: { typ: 'JWT' } }),
    refusal: /not of the type oauth-authz-req\+jwt/,
  },
  {
    name: `${NEGATIVE}missing-request-object-typ`,
    applies: isSigned,
    change: () => ({ header: { typ: undefined } }),
    refusal: /not of the type oauth-authz-req\+jwt/,
  },
  { name: `${NEGATIVE}missing-nonce`, change: () => ({ claims: { nonce: undefined } }), refusal: /has no nonce/ },
  {
    name: `${NEGATIVE}mismatched-client-id`,
    applies: isFetched,
    change: () => ({ link: { client_id: 'x509_san_dns:verifier.example.com' } }),
    refusal: /another client_id than the link/,
  },
  {
    name: `${NEGATIVE}invalid-client-id-prefix`,
    applies: ({ method }) => method !== 'page_unsigned' && method !== 'page_multisigned',
    change: () => ({ claims: { client_id: 'invalid_scheme:x' }, link: { client_id: 'invalid_scheme:x' } }),
    refusal: /does not know a client_id of the kind invalid_scheme/,
  },
  {
    name: `${NEGATIVE}redirect-uri-with-direct-post`,
    applies: hasAddress,
    change: () => ({ claims: { redirect_uri: 'https://verifier.example.com/back' } }),
    refusal: /redirect_uri/,
  },
  {
    name: `${NEGATIVE}unknown-transaction-data-type`,
    change: () => ({ claims: unknownTransaction() }),
    refusal: /unknown is no kind that this wallet knows/,
  },
  {
    name: `${NEGATIVE}wrong-expected-origins`,
    applies: (variant) => isPage(variant) && isSigned(variant),
    change: () => ({ claims: { expected_origins: [`${ORIGIN}/`, 'https://evil.example', ORIGIN.toUpperCase()] } }),
    refusal: /expected_origins/,
  },
  {
    name: `${NEGATIVE}required-non-matching-credential`,
    change: ({ query }) => {
      const missing = { id: 'other', format: 'dc+sd-jwt', meta: { vct_values: ['urn:none'] } };
      return { claims: { dcql_query: { credentials: [query, missing] } } };
    },
    refusal: /none answers the descriptor "other"/,
  },
  {
    name: '* wrong audience',
    applies: isSigned,
    change: () => ({ claims: { aud: 'https://another.wallet' } }),
    refusal: /aud of the request object/,
  },
  {
    name: '* expired request object',
    applies: isSigned,
    change: ({ nowMs }) => ({ claims: { exp: seconds(nowMs) - 1 } }),
    refusal: /has expired/,
  },
  {
    name: '* hash of another certificate',
    applies: (variant) => isSigned(variant) && variant.method !== 'page_multisigned',
    change: () => ({ claims: { client_id: otherHash() }, link: { client_id: otherHash() } }),
    refusal: /certificate of the request object is not that of its client_id/,
  },
  {
    name: '* name of another certificate',
    applies: isFetched,
    change: () => {
      const client_id = 'x509_san_dns:other.example.com';
      return { claims: { client_id }, link: { client_id } };
    },
    refusal: /does not name its client_id/,
  },
  {
    name: '* response to another host than the certificate names',
    applies: isFetched,
    change: () => {
      const client_id = 'x509_san_dns:verifier.example.com';
      return { claims: { client_id }, link: { client_id } };
    },
    refusal: /not of the host/,
  },
  {
    name: '* replayed wallet_nonce',
    applies: isFetched,
    change: () => ({ claims: { wallet_nonce: 'of an earlier request' }, link: { request_uri_method: 'post' } }),
    refusal: /wallet_nonce/,
  },
  {
    name: '* request_uri_method in capitals',
    applies: isFetched,
    change: () => ({ link: { request_uri_method: 'POST' } }),
    refusal: /request_uri_method must be get or post/,
  },
  {
    name: '* encryption demanded without a key',
    applies: ({ mode }) => mode.endsWith('.jwt'),
    change: ({ parameters: { client_metadata: metadata } }) => ({
      claims: { client_metadata: { ...metadata, jwks: { keys: [] } } },
    }),
    refusal: /no key for ECDH-ES/,
  },
];
