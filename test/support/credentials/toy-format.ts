import { NodeSignatures } from '../../../adapters/crypto/signatures.ts';
import { PrometheusMetrics } from '../../../adapters/metrics/prometheus.ts';
import type { SupportedFormat } from '../../../domain/credentials/formats/formats.ts';
import { base64url, fromBase64url, utf8 } from '../../../domain/foundation/bytes.ts';
import { DomainError } from '../../../domain/foundation/errors.ts';
import { asList, isObject, isText, type JsonObject } from '../../../domain/foundation/json.ts';
import { parseJson } from '../../../domain/foundation/strict-json.ts';
import { KEY_TYPES } from '../../../domain/jose/key-types.ts';
import { checkSigner } from '../../../domain/jose/signer-keys.ts';
import type {
  CredentialFormat,
  ParsedCredential,
  ParsedPresentation,
  PresentationFormat,
  SignatureCheck,
} from '../../../ports/credential-formats.ts';
import type { PublicJwk, Signer } from '../../../ports/key-service.ts';

const signatures = new NodeSignatures(new PrometheusMetrics());

/** A sealed text: its kind, its JSON and a signature over both and a transcript that it does not carry. */
async function seal(
  kind: string,
  body: JsonObject,
  { signer, transcript = '' }: { signer: Signer; transcript?: string },
) {
  const text = `${kind}~${base64url(JSON.stringify({ alg: KEY_TYPES[signer.keyType].alg, ...body }))}`;
  return `${text}~${base64url(await signer.sign(utf8(text + transcript)))}`;
}

function unseal(expected: string, sealed: string) {
  const [kind = '', encoded = '', tail = ''] = sealed.split('~');
  const body = kind === expected ? parseJson(Buffer.from(encoded, 'base64url').toString()) : undefined;
  if (!isObject(body)) throw new DomainError('BadRequest', `This is no ${expected}`);
  const verify = (jwk: PublicJwk, transcript = ''): Promise<boolean> =>
    signatures.verify({
      alg: String(body.alg),
      jwk,
      data: utf8(`${kind}~${encoded}${transcript}`),
      signature: fromBase64url(tail) ?? new Uint8Array(),
    });
  return { body, verify };
}

function parse(text: string): ParsedCredential {
  const { body, verify } = unseal('toy', text);
  const { by, kid, holderKey, kinds, facts, state } = body;
  const signed = {
    kid,
    signer: String(by),
    purpose: 'assertionMethod',
    verify: (jwk: PublicJwk) => verify(jwk),
  } as const;
  return {
    format: 'toy',
    id: isText(body.name) ? body.name : undefined,
    type: String(asList(kinds).at(-1)),
    issuer: { kind: 'did', id: String(by) },
    holder: { jwk: holderKey as PublicJwk },
    claims: body,
    document: { type: kinds, shown: facts },
    alg: String(body.alg),
    validity: { starts: [], ends: [] },
    status: state === undefined ? [] : [{ kind: 'credentialStatus', value: state }],
    verifyIssuer: ({ dids }) => checkSigner(signed, dids),
  };
}

/** Presentations are signed with the key in the credential, over a transcript of nonce and audience. */
async function parsePresentation(text: string): Promise<ParsedPresentation> {
  const { body, verify } = unseal('toyshow', text);
  const credentials = asList(body.shown).filter(isText).map(parse);
  const verifyHolder = async (challenge: { nonce: string; audience: string }): Promise<SignatureCheck> => {
    const transcript = JSON.stringify([challenge.nonce, challenge.audience]);
    const checks = credentials.map(({ holder }) => holder?.jwk && verify(holder.jwk, transcript));
    const isSigned = checks.length > 0 && (await Promise.all(checks)).every((valid) => valid === true);
    return isSigned ? { valid: true } : { valid: false, refusal: 'signature' };
  };
  return {
    format: 'toy_vp',
    type: 'Toyshow',
    binding: { kind: 'transcript' },
    holderFrom: 'credentials',
    credentials,
    claims: body,
    document: body,
    alg: String(body.alg),
    validity: { starts: [], ends: [] },
    verifyHolder,
  };
}

/** Codec of the toy format: no JWT, bound to the holder's key, presented over a transcript. */
const codec: CredentialFormat = {
  issue: ({ document: { id, type, credentialSubject }, issuer: by, holder, kid, status }, signer) => {
    const body = { name: id, by, kid, kinds: asList(type), facts: credentialSubject, state: status };
    return seal('toy', { ...body, holderKey: holder.jwk }, { signer });
  },
  parse: async (text) => parse(text),
};

const presentations: PresentationFormat = {
  isPresentation: (text) => text.startsWith('toyshow~'),
  present: ({ credentials, nonce, audience }, signer) =>
    seal(
      'toyshow',
      { shown: credentials.map(({ document }) => document) },
      { signer, transcript: JSON.stringify([nonce, audience]) },
    ),
  parsePresentation,
};

/** The row of the toy format. */
export const TOY_FORMAT: SupportedFormat = {
  name: 'toy',
  selector: 'type',
  typeMember: 'credential_definition',
  typePaths: ['$.kinds'],
  configurationSuffix: '_toy',
  signatures: 'JOSE',
  chainPurpose: 'sd-jwt-vc',
  statusLists: ['BitstringStatusList'],
  events: { single: 'toy_issue', batch: 'batch_toy_issue', member: 'toy', kind: 'toy' },
  presentation: {
    names: ['toy_vp'],
    submitted: 'toy_vp',
    credentialsAt: ['$.shown'],
    signsTransactions: false,
    isEncrypted: false,
    draftMetadata: { toy: {} },
    v1: {
      algorithmMembers: { credential: 'toy_values', presentation: 'show_values' },
      checks: { transcript: 'holder-signature', seal: 'issuer-signature' },
      isOfHaip: false,
    },
  },
  isTypeDescriptorId: false,
  omitsAnchor: false,
  codec,
  presentations,
};
