// All widgets of extension forms.
export {
  MultiSelectWidget,
  OptionalBooleanWidget,
  SegmentedWidget,
  SelectWidget,
  SwitchWidget,
} from "./choiceWidgets";
export { NumberWidget, SliderWidget, VectorWidget } from "./numberWidgets";
export { AtomsWidget, FramePropertyWidget } from "./roomDataWidgets";
export {
  ColourWidget,
  ListWidget,
  PasswordWidget,
  SuggestionsWidget,
  TextareaWidget,
  TextWidget,
} from "./textWidgets";
export { TimeWidget } from "./timeWidgets";
