import { base64, fromBase64url } from '../../../domain/foundation/bytes.ts';
import { asList, isObject, type JsonObject } from '../../../domain/foundation/json.ts';
import { pemOf } from '../../../domain/x509/pem.ts';
import type { ParsedCredential, PresentationView, ViewMode } from '../../../ports/credential-formats.ts';
import { COSE_HEADER } from './cose.ts';
import { MdocJson } from './mdoc-json.ts';
import type { ParsingParts } from './parse-credential.ts';
import { parsePresentation, unquoted } from './parse-presentation.ts';

/** One document: what was parsed of it, and its members as JSON. */
interface ShownDocument {
  credential: ParsedCredential;
  members: JsonObject;
}

const VIEWS: Readonly<Record<ViewMode, { type: string; show(document: ShownDocument): JsonObject }>> = {
  simple: { type: 'mso_mdoc_view_simple', show: simple },
  verbose: { type: 'mso_mdoc_view_verbose', show: verbose },
};

/** A DeviceResponse as it is shown (interface: `presented-credentials`). @throws DomainError `BadRequest` */
export async function viewPresentation(text: string, mode: ViewMode, parts: ParsingParts): Promise<PresentationView> {
  const { credentials, document } = await parsePresentation(text, parts);
  const library = await import('@owf/mdoc');
  const json = new MdocJson(library).of(library.cborDecode(fromBase64url(unquoted(text)) ?? new Uint8Array()));
  const members = objectOf(json);
  const documents = asList(members.documents);
  const { type, show } = VIEWS[mode];
  return {
    type,
    ...(mode === 'verbose' && { raw: unquoted(text) }),
    version: document.version,
    status: document.status,
    documents: credentials.map((credential, index) => show({ credential, members: objectOf(documents[index]) })),
    ...(document.documentErrors !== undefined && { documentErrors: document.documentErrors }),
  };
}

const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

function simple({ credential: { type, claims, document, issuer, holder } }: ShownDocument): JsonObject {
  return {
    docType: type,
    nameSpaces: claims,
    certificateChain: chainOf(issuer).map((der) => pemOf(der, 'CERTIFICATE')),
    validityInfo: document.validityInfo,
    deviceKey: holder?.jwk,
  };
}

function verbose({ credential: { type, issuer, holder }, members }: ShownDocument): JsonObject {
  const { nameSpaces = {}, issuerAuth } = objectOf(members.issuerSigned);
  const { nameSpaces: deviceNameSpaces, deviceAuth } = objectOf(members.deviceSigned);
  const [header, , object] = asList(issuerAuth).map(objectOf);
  const { deviceKeyInfo, ...others } = object ?? {};
  return {
    docType: type,
    issuerSigned: {
      nameSpaces,
      issuerAuth: {
        x5c: chainOf(issuer).map(base64),
        algorithm: header?.[COSE_HEADER.ALG],
        protectedHeader: header,
        payload: { ...others, deviceKeyInfo: { ...objectOf(deviceKeyInfo), deviceKey: holder?.jwk } },
      },
    },
    deviceSigned: { nameSpaces: deviceNameSpaces, deviceAuth: deviceAuthOf(deviceAuth) },
    ...(members.errors !== undefined && { errors: members.errors }),
  };
}

function deviceAuthOf(deviceAuth: unknown): JsonObject {
  const [header, , , signature] = asList(objectOf(deviceAuth).deviceSignature);
  const protectedHeader = objectOf(header);
  return { deviceSignature: { algorithm: protectedHeader[COSE_HEADER.ALG], protectedHeader, signature } };
}

const chainOf = (issuer: ParsedCredential['issuer']): readonly Uint8Array[] =>
  issuer.kind === 'certificates' ? issuer.chain : [];
