import { createHash } from 'node:crypto';
import { importJWK, type JWK, SignJWT } from 'jose';
import { fromBase64url } from '../../../domain/foundation/bytes.ts';
import { MDL_DOCUMENT_SIGNER } from '../../../domain/x509/signer-profiles.ts';
import type { Signer } from '../../../ports/key-service.ts';
import type { ReadRequest } from '../../actors/openid4vp.ts';
import {
  deviceKey,
  documentSignerChain,
  iaca,
  issueMdoc,
  MDL,
  mdocSigner,
} from '../../support/credentials/mdoc-issuer.ts';
import { presentMdocs } from '../../support/credentials/mdoc-presenter.ts';
import { disclosure, newSigner, signSdJwt } from '../../support/credentials/sd-jwts.ts';
import { testKeys } from '../../support/trust/certificates.ts';
import { authorityKeyId, usageExtension } from '../../support/trust/issuer-chains.ts';

// biome-ignore lint/suspicious/noExplicitAny: requests have any member
type Json = Record<string, any>;

/** What a module changes in a presentation. */
export interface Change {
  /** Members of the key binding JWT. */
  binding?: Json;
  /** The whole SD-JWT with its key binding. */
  token?: (token: string) => string;
  /** Another nonce in the session transcript of an mdoc. */
  transcriptNonce?: string;
  /** Whether the key of the holder has no member beside the needed ones. */
  isMinimal?: boolean;
  /** An issuer of an SD-JWT VC that is named by its URL, with its key. */
  issuer?: { id: string; signer: Signer };
}

/** A format as the conformance suite presents it. */
export interface TestedFormat {
  query: Json;
  present(request: ReadRequest, change: Change, nowMs: number): Promise<string>;
}

const VCT = 'https://credentials.example.com/identity_credential';
const CLAIMS = { given_name: 'Jean', family_name: 'Dupont', birthdate: '1980-05-23', age_in_years: 46 };

const encryptionKey = ({ parameters }: ReadRequest): Uint8Array | undefined => {
  const { kty, crv, x, y } = parameters.client_metadata.jwks?.keys[0] ?? {};
  if (kty === undefined) return undefined;
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest();
};

let issuer: Promise<Signer> | undefined;

async function presentSdJwt({ parameters }: ReadRequest, change: Change, nowMs: number): Promise<string> {
  issuer ??= newSigner('secp256r1');
  const { id: iss, signer = await issuer } = change.issuer ?? {};
  const { kty, crv, x, y } = deviceKey();
  const jwk = change.isMinimal ? { kty, crv, x, y } : { kty, crv, x, y, use: 'sig', alg: 'ES256', kid: 'holder' };
  const disclosures = Object.entries(CLAIMS).map(([name, value]) => disclosure(name, value));
  const now = Math.floor(nowMs / 1000);
  const payload = {
    vct: VCT,
    ...(iss && { iss }),
    cnf: { jwk },
    iat: now,
    exp: now + 3600,
    _sd: disclosures.map(({ digest }) => digest),
    _sd_alg: 'sha-256',
  };
  const header = iss === undefined ? {} : { kid: undefined };
  const sdJwt = await signSdJwt(signer, payload, { disclosures: disclosures.map(({ text }) => text), header });
  const claims = {
    nonce: parameters.nonce,
    aud: parameters.client_id,
    iat: now,
    sd_hash: createHash('sha256').update(sdJwt).digest('base64url'),
    ...change.binding,
  };
  const key = await importJWK(testKeys('P-256', 41).privateKey.export({ format: 'jwk' }) as JWK, 'ES256');
  const binding = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', typ: 'kb+jwt' }).sign(key);
  return (change.token ?? ((token) => token))(`${sdJwt}${binding}`);
}

async function presentMdl(request: ReadRequest, { transcriptNonce }: Change, nowMs: number): Promise<string> {
  const { client_id: clientId, response_uri: responseUri, nonce } = request.parameters;
  const elements = { family_name: 'Dupont', given_name: 'Jean', birth_date: '1980-05-23', issuing_country: 'UT' };
  const issuedAt = Math.floor(nowMs / 1000) * 1000 - 60_000;
  const extensions = [usageExtension(MDL_DOCUMENT_SIGNER), authorityKeyId(iaca)];
  const x5c = documentSignerChain(await mdocSigner(), { extensions });
  const document = await issueMdoc({ document: { [MDL.namespace]: elements }, issuedAt, x5c });
  const key = encryptionKey(request);
  const handover = {
    kind: 'redirect',
    clientId,
    responseUri,
    nonce: transcriptNonce ?? nonce,
    ...(key && { encryptionKey: key }),
  } as const;
  return presentMdocs([document], { handover, now: nowMs });
}

/** The formats of the plans. */
export const FORMATS: Record<'sd_jwt_vc' | 'iso_mdl', TestedFormat> = {
  sd_jwt_vc: {
    query: {
      credentials: [
        {
          id: 'pid',
          format: 'dc+sd-jwt',
          meta: { vct_values: [VCT] },
          claims: Object.keys(CLAIMS).map((name) => ({ path: [name] })),
        },
      ],
    },
    present: presentSdJwt,
  },
  iso_mdl: {
    query: {
      credentials: [
        {
          id: 'my_mdl',
          format: 'mso_mdoc',
          meta: { doctype_value: MDL.docType },
          claims: ['family_name', 'given_name', 'birth_date', 'issuing_country'].map((name) => ({
            path: [MDL.namespace, name],
          })),
        },
      ],
    },
    present: presentMdl,
  },
};

/** Changes one character of one part of a compact token. */
export function corrupted(token: string, part: number): string {
  const parts = token.split('.');
  const text = parts[part] ?? '';
  const bytes = Buffer.from(fromBase64url(text) ?? []);
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  return parts.map((one, place) => (place === part ? bytes.toString('base64url') : one)).join('.');
}
