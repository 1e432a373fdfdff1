/**
 * Why a policy succeeded or failed, as a program reads it, with the text for a person that an outcome without a more
 * precise one shows. The names are stable (docs/verification.md).
 */
export const POLICY_CODES = {
  passed: 'The check succeeded',
  'nothing-to-check': 'There is nothing that this policy checks',
  'not-run': 'The policy was not run, because another one failed',
  unreachable: 'Another server could not be asked, or gave no valid answer',
  undetermined: 'What was presented does not say what this policy needs',
  'internal-error': 'The policy could not be run',
  'signer-unknown': 'No key of the signer is known',
  'signature-invalid': 'The signature is not valid',
  'algorithm-not-allowed': 'The algorithm of the signature is not among those that are allowed',
  'digest-mismatch': 'A digest in the signature is not that of what was presented',
  'wrong-token-type': 'What is signed is of another type',
  'not-signed-now': 'The presentation was not signed now',
  'not-signed': 'The holder signed nothing',
  'issuer-untrusted': 'The issuer is below no authority that the verifier or the list of the policy trusts',
  'wrong-nonce': 'The nonce of the presentation is not that of the request',
  'wrong-audience': 'The audience of the presentation is not that of the request',
  'transactions-mismatch': 'What the holder authorized is not what was requested',
  expired: 'It has expired; ask for a new one',
  'not-yet-valid': 'It is not yet valid',
  'malformed-date': 'A date cannot be read',
  'missing-claim': 'A claim that the policy needs is missing',
  'schema-mismatch': 'It is not valid against the JSON Schema',
  refused: 'The service that was asked refused it',
  'too-few-credentials': 'Fewer credentials than demanded were presented',
  'too-many-credentials': 'More credentials than allowed were presented',
  'credentials-missing': 'A requested credential was not presented',
  'relation-broken': 'A required relation between holder, subject and issuer does not hold',
  'discloses-too-much': 'More claims were disclosed than asked for',
  'holder-mismatch': 'The presenter is not the holder of the credential',
  'issuer-not-allowed': 'The issuer is not among those that are allowed',
  'list-not-accepted':
    'The list of trusted issuers is not accepted: it is malformed, not signed by its signer or out of date',
  'status-set': 'The credential was revoked or suspended, or its status is not the demanded one',
  'status-missing': 'The credential has no status of the demanded kind',
  'condition-not-met': 'The condition of the rule is not met',
  'pattern-mismatch': 'The value does not match the pattern',
  'integrity-missing': 'The credential does not state the digest of its type metadata',
  'integrity-malformed': 'The stated digest of the type metadata cannot be read',
  'integrity-mismatch': 'The type metadata is not what the credential was issued for',
} as const;

/** A stable reason for programs. */
export type PolicyCode = keyof typeof POLICY_CODES;
