import { type Field, type FieldNode, fieldsOf } from '../forms/fields.ts';
import { labelOf } from '../forms/labels.ts';
import { type Path, pointerOf, valueAt } from '../forms/pointers.ts';
import { emptyOf, newElement } from '../forms/values.ts';
import { inLanguage, texts } from '../texts/texts.ts';
import { ValueField } from './value-field.tsx';

interface DataFieldsProps {
  /** The fields that are known; members of the value that are none of them have fields too. */
  nodes: readonly FieldNode[];
  value: unknown;
  /** Where the value is in what is sent, which the names of the fields begin with. */
  at: Path;
  /** What the issuer calls claims that no node describes. */
  labels?: Parameters<typeof labelOf>[1];
  change(path: Path, part: unknown): void;
}

/** The fields of an object: of what every card has, then of what it may have. */
export const DataFields = (props: DataFieldsProps) => {
  const t = texts().values;
  const groups = groupsOf(fieldsOf(props.nodes, { ...emptyOf(props.nodes), ...(props.value as object | undefined) }));
  const isNeeded = ([field]: Group): boolean => field.node.isMandatory;
  const parts = [
    { legend: t.needed, shown: groups.filter(isNeeded) },
    { legend: props.nodes.length === 0 ? t.content : t.optional, shown: groups.filter((group) => !isNeeded(group)) },
  ];
  return (
    <>
      {parts.map(({ legend, shown }) =>
        shown.length === 0 ? null : (
          <fieldset key={legend}>
            <legend>{legend}</legend>
            <div translate={false}>
              {shown.map((group) => (
                <FieldGroup key={group[0].node.name} {...props} group={group} />
              ))}
            </div>
          </fieldset>
        ),
      )}
    </>
  );
};

/** A field of the object with all fields inside it. */
type Group = [Field, ...Field[]];

function groupsOf(fields: readonly Field[]): Group[] {
  const groups: Group[] = [];
  for (const field of fields) {
    const last = groups.at(-1);
    if (last && last[0].path[0] === field.path[0]) last.push(field);
    else groups.push([field]);
  }
  return groups;
}

const isContainer = ({ node: { kind } }: Field): boolean => kind === 'object' || kind === 'list';

const FieldGroup = ({ group: [first, ...inside], ...props }: DataFieldsProps & { group: Group }) => {
  if (!isContainer(first)) return <OneField {...props} field={first} above={[]} />;
  return (
    <fieldset id={pointerOf([...props.at, ...first.path])} tabIndex={-1}>
      <legend>{nameOf(first, props.labels)}</legend>
      {inside.map((field, at) => (
        <OneField key={pointerOf(field.path)} {...props} field={field} above={around(field, inside.slice(0, at))} />
      ))}
      {first.node.kind === 'list' ? <AddElement {...props} field={first} above={[]} /> : null}
    </fieldset>
  );
};

/** What a field is inside of, from the outermost. */
const around = ({ path }: Field, before: readonly Field[]): Field[] =>
  before.filter(
    (one) => isContainer(one) && one.path.length < path.length && one.path.every((part, at) => path[at] === part),
  );

/** What a field is called: of an element of a list its place too. */
function nameOf({ path, node }: Field, labels: DataFieldsProps['labels']): string {
  const label = inLanguage(node.label)?.name ?? labelOf(path, labels);
  const last = path.at(-1);
  return typeof last === 'number' ? texts().values.element(label, last + 1) : label;
}

interface OneFieldProps extends DataFieldsProps {
  field: Field;
  above: readonly Field[];
}

const OneField = ({ field, above, ...props }: OneFieldProps) => {
  const { path, node, value } = field;
  const { at, change, labels } = props;
  const isElement = typeof path.at(-1) === 'number';
  const name = [...above, field].map((one) => nameOf(one, labels)).join(' › ');
  return (
    <>
      {isContainer(field) ? (
        <div id={pointerOf([...at, ...path])} tabIndex={-1} />
      ) : (
        <ValueField
          id={pointerOf([...at, ...path])}
          label={name}
          kind={node.kind}
          value={value}
          // An element that was emptied stays an element.
          onValue={(next) => change(path, next === undefined && isElement ? '' : next)}
          isOptional={!node.isMandatory}
        />
      )}
      {node.kind === 'list' ? <AddElement {...props} field={field} above={above} /> : null}
      {isElement ? (
        <div class="actions">
          <button type="button" onClick={() => change(path, undefined)}>
            {texts().values.removeElement(name)}
          </button>
        </div>
      ) : null}
    </>
  );
};

const AddElement = ({ field, above, value, change, labels }: OneFieldProps) => {
  const list = valueAt(value, field.path);
  const name = [...above, field].map((one) => nameOf(one, labels)).join(' › ');
  return (
    <div class="actions">
      <button
        type="button"
        onClick={() => change([...field.path, Array.isArray(list) ? list.length : 0], newElement(field.node))}
      >
        {texts().values.addElement(name)}
      </button>
    </div>
  );
};
