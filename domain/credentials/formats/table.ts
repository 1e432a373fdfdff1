import type { FormatFacts, NamedFormat } from './facts.ts';
import { JWT_VC } from './jwt-vc.ts';
import { MDOC } from './mdoc.ts';
import { DRAFT_SD_JWT_VC, SD_JWT_VC } from './sd-jwt-vc.ts';

/** The formats of this build. */
type BuiltInFormat = 'jwt_vc_json' | 'vc+sd-jwt' | 'dc+sd-jwt' | 'mso_mdoc';

/** The table of formats; a format is supported when the registry has a row of these facts and its codec. */
export const FORMATS = {
  jwt_vc_json: JWT_VC,
  'vc+sd-jwt': DRAFT_SD_JWT_VC,
  'dc+sd-jwt': SD_JWT_VC,
  mso_mdoc: MDOC,
} as const satisfies { [name in BuiltInFormat]: FormatFacts & { name: name } };

/** Formats that are known by name only; requests for them are refused. */
export const UNSUPPORTED: readonly NamedFormat[] = [
  { name: 'jwt', selector: 'type' },
  { name: 'ldp_vc', aliases: ['ldp'], selector: 'type' },
];
