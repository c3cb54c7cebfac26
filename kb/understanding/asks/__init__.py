"""What a clause asks for: values, columns, lists, comparisons, reasons; and so its intent."""
