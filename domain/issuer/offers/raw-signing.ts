import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import { checkMapping } from '../../credentials/mapping.ts';
import { didKey } from '../../dids/did-methods.ts';
import { at, invalidField } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import type { KeyBackends } from '../../keys/key-backends.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import type { IssuerDids } from '../onboarding/issuer-dids.ts';
import type { CredentialBuilder } from './credential-builder.ts';

/** A credential to be signed at once, without an offer. */
interface SigningRequest {
  issuerKey: JsonObject;
  /** A did:key of the key when absent. */
  issuerDid?: string;
  subjectDid: string;
  credentialData: JsonObject;
  mapping?: JsonObject;
}

/** Signs W3C credentials for a subject that the caller names, without a wallet. */
export class RawSigning {
  constructor(
    private readonly parts: {
      keys: KeyBackends;
      formats: CredentialFormats;
      issuerDids: IssuerDids;
      builder: CredentialBuilder;
    },
  ) {}

  /** @throws DomainError `BadRequest` naming the member, also when the credential is for another subject; `UpstreamFailed`, `UpstreamTimeout` */
  async sign(issuer: CredentialIssuer, request: SigningRequest): Promise<string> {
    const { keys, formats, issuerDids, builder } = this.parts;
    const { credentialData, mapping = {}, subjectDid: did } = request;
    at(['mapping'], () => checkMapping({ mapping, data: credentialData }));
    const issuerKey = await at(['issuerKey'], () => keys.read(request.issuerKey));
    const { publicJwk: jwk } = issuerKey;
    const issuerDid = request.issuerDid ?? didKey(jwk);
    await issuerDids.check(issuer, [{ did: issuerDid, jwk, path: ['issuerDid'] }]);
    const { name: format, codec } = formats.standard;
    const signer = keys.signer(issuerKey);
    const facts = { configurationId: '', format, types: [], issuerKey, issuer: issuerDid };
    const jwt = await builder.build({ ...facts, credentialData, mapping }, { did }, { signer });
    const { subject } = await codec.parse(jwt);
    if (subject !== undefined && subject !== did)
      throw invalidField(['subjectDid'], 'is not the id of the credentialSubject that credentialData and mapping make');
    return jwt;
  }
}
