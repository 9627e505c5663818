import type { Form } from '../form.ts';
import { ChainsField } from './chainsField.ts';
import { ChoiceField } from './choiceField.ts';
import { ChoiceListField } from './choiceListField.ts';
import { EntriesField } from './entriesField.ts';
import type { Place, View } from './fieldView.ts';
import { GroupFold } from './groupFold.ts';
import { KeyField } from './keyField.ts';
import { ListField } from './listField.ts';
import { MapField } from './mapField.ts';
import { SwitchField } from './switchField.ts';
import { TextField } from './textField.ts';

/** The control for a key, by its kind. */
export function makeField(form: Form, place: Place): View {
  switch (place.field.kind) {
    case 'group':
      return new GroupFold(form, place);
    case 'entries':
      return new EntriesField(form, place);
    case 'chains':
      return new ChainsField(form, place);
    case 'map':
      return new MapField(form, place);
    case 'textOrMap':
      return new KeyField(form, place);
    case 'choice':
    case 'switchOrWord':
      return new ChoiceField(form, place);
    case 'switch':
      return new SwitchField(form, place);
    case 'choiceList':
      return new ChoiceListField(form, place);
    case 'list':
    case 'listOrWord':
      return new ListField(form, place);
    case 'text':
    case 'longText':
    case 'number':
    case 'integer':
    case 'numberOrAuto':
      return new TextField(form, place);
  }
}
