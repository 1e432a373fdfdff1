import { fromBase64 } from '../../foundation/bytes.ts';
import { at, invalidField } from '../../foundation/errors.ts';
import { isObject, isText, type JsonObject } from '../../foundation/json.ts';
import { checkDestination, readHttpUrl } from '../../network/urls.ts';
import type { TrustAnchor } from '../../trust/trust-anchors.ts';
import { readSignerTexts, type WantedList } from '../../trust/trust-lists.ts';
import { certificateTexts, EXAMPLE_CERTIFICATE, readFlagOf, readUsableList } from './listed-issuers.ts';
import { type CredentialSubject, type Evaluate, failed, type PolicyOutcome, passed, policyWithArgs } from './policy.ts';

/** The argument as it is stored. */
interface VicalArgs {
  /** Base64; the creator of the request vouches for it, so it needs no signer. */
  vical?: string;
  vicalUrl?: string;
  enableDocumentTypeValidation: boolean;
  trustedSourceSignerCertificates: string[];
}

function readArgs(value: unknown): VicalArgs {
  if (!isObject(value)) throw invalidField([], 'must be an object with vical or vicalUrl');
  const { vical: list, vicalUrl: url, enableRevocation } = value;
  if ((list === undefined) === (url === undefined)) throw invalidField([], 'must have either vical or vicalUrl');
  if (list !== undefined && !(isText(list) && fromBase64(list)))
    throw invalidField(['vical'], 'must be a VICAL in base64');
  if (enableRevocation !== undefined && enableRevocation !== false)
    throw invalidField(['enableRevocation'], 'must be false: lists of revoked certificates are not read');
  return {
    ...(isText(list) && { vical: list }),
    ...(url !== undefined && { vicalUrl: at(['vicalUrl'], () => readHttpUrl(url)) }),
    enableDocumentTypeValidation: readFlagOf(value, 'enableDocumentTypeValidation', false),
    trustedSourceSignerCertificates: at(['trustedSourceSignerCertificates'], () =>
      readSignerTexts(value.trustedSourceSignerCertificates),
    ),
  };
}

function wantedList({ vical: list = '', vicalUrl, trustedSourceSignerCertificates: signers }: VicalArgs): WantedList {
  const kind = 'vical';
  if (vicalUrl !== undefined) return { kind, source: vicalUrl, signers };
  return { kind, source: fromBase64(list) ?? new Uint8Array(), signers, isUnsigned: signers.length === 0 };
}

const run: Evaluate<CredentialSubject, VicalArgs> = async ({ credential }, { args, trustLists, formats, now }) => {
  const { format, issuer, type } = credential;
  if (formats.supported(format)?.chainPurpose !== 'mdoc' || issuer.kind !== 'certificates')
    return failed('undetermined', { reason: 'Only mdocs are issued below authorities of a VICAL' });
  const list = await readUsableList(wantedList(args), { trustLists, now });
  if ('code' in list) return list;
  const anchors = args.enableDocumentTypeValidation ? list.anchors : list.anchors.map(anyType);
  const decision = trustLists.decide({ chain: issuer.chain, anchors, purpose: 'mdoc', docType: type, now });
  return decision.trusted
    ? passed(true, { reason: 'The issuer is below an authority of the VICAL' })
    : untrusted(decision.reason);
};

const anyType = ({ certificate }: TrustAnchor): TrustAnchor => ({ certificate });

const untrusted = (why: string): PolicyOutcome =>
  failed('issuer-untrusted', { reason: `The issuer is not below an authority of the VICAL: ${why}` });

const flag = (description: string): JsonObject => ({ type: 'boolean', default: false, description });

/** The `vical` policy: the document signer of an mdoc is below an authority of a VICAL (ISO 18013-5 Annex C). */
export const vical = policyWithArgs<VicalArgs>({
  description: 'Checks that an mdoc is issued below an authority of a VICAL (ISO 18013-5 Annex C)',
  stage: 'trust',
  dependsOn: ['signature'],
  decidesTrust: true,
  argument: {
    schema: {
      type: 'object',
      additionalProperties: false,
      properties: {
        vical: { type: 'string', contentEncoding: 'base64', description: 'The VICAL itself' },
        vicalUrl: { type: 'string', format: 'uri', description: 'Where the VICAL is published' },
        enableDocumentTypeValidation: flag('Whether the authority must be listed for the type of the document'),
        enableRevocation: { const: false },
        trustedSourceSignerCertificates: certificateTexts(
          'Who may sign the VICAL; required for a URL that is not configured',
        ),
      },
      description: 'Either vical or vicalUrl',
      examples: [
        { vical: 'hEOhASagQIBA' },
        { vicalUrl: 'https://vical.example.org/current', trustedSourceSignerCertificates: [EXAMPLE_CERTIFICATE] },
      ],
    },
    read: readArgs,
    check: (args, { outbound, trustLists }) => {
      at(['trustedSourceSignerCertificates'], () => trustLists.signers(args.trustedSourceSignerCertificates));
      const { vicalUrl: url } = args;
      if (url === undefined) return;
      at(['vicalUrl'], () => checkDestination(outbound, { url, expects: 'trust-list' }));
      if (!trustLists.hasSigners(wantedList(args)))
        throw invalidField(
          ['trustedSourceSignerCertificates'],
          'is required for a URL that is not in trusted-issuers.conf',
        );
    },
  },
  vc: run,
});
