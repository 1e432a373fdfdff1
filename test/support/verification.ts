import { Rfc9535Paths } from '../../adapters/json/json-paths.ts';
import { CallerSchemas } from '../../adapters/json/json-schemas.ts';
import type { CredentialFormats } from '../../domain/credentials/formats.ts';
import { DidResolver } from '../../domain/dids/did-resolver.ts';
import { Verification } from '../../domain/verifier/verification.ts';
import { noOutbound } from './policies.ts';
import { silentLog } from './silent-log.ts';
import { testTrustLists } from './trust-lists.ts';

/** The verification of an installation with these formats, without a network. */
export const testVerification = (formats: CredentialFormats): Verification =>
  new Verification({
    dids: new DidResolver(noOutbound),
    issuers: { keys: async () => [] },
    matching: { paths: new Rfc9535Paths(), schemas: new CallerSchemas(), formats },
    outbound: noOutbound,
    log: silentLog,
    trust: { anchors: async () => ({ anchors: [], missing: [] }), decide: () => ({ trusted: true }) },
    trustLists: testTrustLists(),
  });
